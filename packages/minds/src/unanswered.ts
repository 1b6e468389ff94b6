import type { Mind, MindEvent } from './mind.ts';

type Request = (mind: Mind) => void;

/** A model may choose not to answer: what is older than these is not asked again. */
const MAX_REQUESTS = 8;

/** Requests of which the callee has heard nothing. A mind that replaces another gets them again. */
export class Unanswered {
  readonly #requests: Request[] = [];
  /** Whose answer failed last; null if the callee had heard some of that answer, or the mind answered by itself. */
  #lastFailed: Request | null = null;
  /** One whose answer failed, until the mind is asked for it again: the answers that begin by then are to others. */
  #heldBack: Request | null = null;
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
    if (kind === 'answer_failed') this.#lastFailed = this.#hasBegun ? null : (this.#requests[0] ?? null);
    if (kind === 'sound' || kind === 'tool_call' || kind === 'answer_over') this.#begin();
    if (kind === 'answer_over' || kind === 'answer_failed') this.#hasBegun = false;
    const isCut = kind === 'answer_over' && event.outcome === 'cancelled';
    if (isCut || kind === 'answer_failed') this.calleeSpeaks();
  }

  /** Another connection has begun nothing. */
  restart(): void {
    this.#hasBegun = false;
    this.#isCalleeAnswered = false;
    this.#heldBack = null;
  }

  ask(mind: Mind): void {
    for (const request of this.#requests) request(mind);
  }

  /** Holds the request back whose answer has just failed. False: there is none. */
  holdBack(): boolean {
    this.#heldBack = this.#lastFailed;
    return this.#heldBack !== null;
  }

  /** Asks for what was held back, unless something else has answered it. It is the last of the requests then. */
  askHeldBack(mind: Mind): void {
    const request = this.#heldBack;
    if (request === null) return;
    this.#requests.splice(this.#requests.indexOf(request), 1);
    this.#heldBack = null;
    this.asked(request);
    request(mind);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#isCalleeAnswered = true;
    const next = this.#requests.findIndex((request) => request !== this.#heldBack);
    if (next >= 0) return void this.#requests.splice(next, 1);
    // Nothing else was asked for: whatever this answers, it answers the callee.
    this.#requests.shift();
    this.#heldBack = null;
  }
}
