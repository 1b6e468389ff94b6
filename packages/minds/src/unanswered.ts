import type { Mind, MindEvent } from './mind.ts';

type Request = (mind: Mind) => void;

/** A model may choose not to answer: what is older than these is not asked again. */
const MAX_REQUESTS = 8;

/** What a mind was asked for and the callee has heard nothing of: whatever takes the place of the mind is asked for it again. */
export class Unanswered {
  readonly #requests: Request[] = [];
  /** Sound of an answer came, or a tool call, and the answer is not over. */
  #hasBegun = false;

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  asked(request: Request): void {
    this.#requests.push(request);
    if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
  }

  observe({ kind }: MindEvent): void {
    if (kind === 'sound' || kind === 'tool_call') this.#begin();
    if (kind === 'answer_over') this.#begin();
    if (kind === 'answer_over' || kind === 'answer_failed') this.#hasBegun = false;
  }

  /** Another connection has begun nothing. */
  restart(): void {
    this.#hasBegun = false;
  }

  ask(mind: Mind): void {
    for (const request of this.#requests) request(mind);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#requests.shift();
  }
}
