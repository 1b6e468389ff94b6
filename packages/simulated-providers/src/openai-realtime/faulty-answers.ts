import type { Fault } from '../faults.ts';

const SLOW_MS = 10_000;

/** What goes wrong in one answer, while its session stays. */
export type AnswerFault = { readonly kind: 'slow'; readonly thinkMs: number } | { readonly kind: 'limited' };

/** Which answers of a session go wrong, as the model's name asks for. */
export class FaultyAnswers {
  readonly #fault: Fault | null;
  #answers = 0;

  constructor(fault: Fault | null) {
    this.#fault = fault;
  }

  /** Of the answer that begins now; null for one as it should be. */
  next(): AnswerFault | null {
    this.#answers += 1;
    const fault = this.#fault;
    if (fault === null || !('afterAnswers' in fault) || this.#answers <= fault.afterAnswers) return null;
    if (fault.kind === 'slow_answers') return { kind: 'slow', thinkMs: SLOW_MS };
    const isNext = this.#answers === fault.afterAnswers + 1;
    return fault.kind === 'limited_answers' || isNext ? { kind: 'limited' } : null;
  }
}
