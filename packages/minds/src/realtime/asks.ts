/**
 * What the model is asked, one after the other: a message that it answers. A second one would cut off the answer to the
 * first.
 */
export class Asks<Message> {
  readonly #send: (message: Message) => void;
  readonly #waiting: Message[] = [];
  #isAsked = false;
  #isAnswering = false;
  #isOpen = false;
  #isStopped = false;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** An answer to one is awaited, or comes. */
  get isBusy(): boolean {
    return this.#isAsked || this.#isAnswering;
  }

  get isAwaited(): boolean {
    return this.#isAsked;
  }

  /** The provider takes messages from now on. */
  start(): void {
    this.#isOpen = true;
    this.#next();
  }

  ask(message: Message): void {
    if (this.#isStopped) return;
    this.#waiting.push(message);
    this.#next();
  }

  /** An answer begins. False: no one asked for it. */
  answerBegan(): boolean {
    const wasAsked = this.#isAsked;
    this.#isAsked = false;
    this.#isAnswering = true;
    return wasAsked;
  }

  answerOver(): void {
    this.#isAsked = false;
    this.#isAnswering = false;
    this.#next();
  }

  /** Nothing is asked any more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    if (!this.#isOpen || this.isBusy) return;
    const message = this.#waiting.shift();
    if (message === undefined) return;
    this.#isAsked = true;
    this.#send(message);
  }
}
