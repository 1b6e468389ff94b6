/**
 * Whether an agent still has something to say: an answer that called tools is followed by another one, unless no result asks
 * for it.
 */
export class AgentTurn {
  #running = 0;
  #hasAnswered = false;
  #answersResult = false;

  /** A tool. */
  called(): void {
    this.#running += 1;
  }

  /** A result went to the model. @param answers it asks for another answer */
  returned(answers: boolean): void {
    this.#running -= 1;
    this.#answersResult ||= answers;
  }

  /** The model has completed an answer. */
  answered(): void {
    this.#hasAnswered = true;
  }

  /** True once for each turn. */
  isOver(): boolean {
    if (!this.#hasAnswered || this.#running > 0) return false;
    this.#hasAnswered = false;
    const isOver = !this.#answersResult;
    this.#answersResult = false;
    return isOver;
  }
}
