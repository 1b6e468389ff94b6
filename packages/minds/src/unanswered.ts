import type { Mind, MindEvent } from './mind.ts';

type Request = (mind: Mind) => void;

/** A model may choose not to answer: what is older than these is not asked again. */
const MAX_REQUESTS = 8;

/** What a mind was asked for and the callee has heard nothing of: whatever takes the place of the mind is asked for it again. */
export class Unanswered {
  readonly #requests: Request[] = [];
  /** Sound of an answer came, or a tool call, and the answer is not over. */
  #hasBegun = false;
  /** The callee has said nothing since an answer began. */
  #isCalleeAnswered = false;

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  /** Of an answer under way, the callee has heard something, or a tool was called. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Nothing is awaited: an answer to all that was said and asked for has begun, and may be complete. */
  get isAnswered(): boolean {
    return this.isEmpty && this.#isCalleeAnswered;
  }

  /** The present ones. */
  requests(): readonly Request[] {
    return [...this.#requests];
  }

  calleeSpeaks(): void {
    this.#isCalleeAnswered = false;
  }

  asked(request: Request): void {
    this.#isCalleeAnswered = false;
    this.#requests.push(request);
    if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
  }

  observe(event: MindEvent): void {
    const { kind } = event;
    if (kind === 'callee_speaking' || kind === 'callee_said') this.calleeSpeaks();
    if (kind === 'sound' || kind === 'tool_call' || kind === 'answer_over') this.#begin();
    if (kind === 'answer_over' || kind === 'answer_failed') this.#hasBegun = false;
    const isCut = kind === 'answer_over' && event.outcome === 'cancelled';
    if (isCut || kind === 'answer_failed') this.calleeSpeaks();
  }

  /** Another connection has begun nothing. */
  restart(): void {
    this.#hasBegun = false;
    this.#isCalleeAnswered = false;
  }

  /** @param those only these, as far as they are still unanswered */
  ask(mind: Mind, those: readonly Request[] = this.#requests): void {
    for (const request of this.#requests) if (those.includes(request)) request(mind);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#isCalleeAnswered = true;
    this.#requests.shift();
  }
}
