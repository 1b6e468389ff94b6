/** The tool calls of an answer. The model goes on once each of them has its result. */
export class ToolCalls {
  readonly #waiting = new Set<string>();
  #answerWanted = false;

  called(id: string): void {
    this.#waiting.add(id);
  }

  /** Some have no result yet. */
  get areRunning(): boolean {
    return this.#waiting.size > 0;
  }

  /** Whether the model waits for this result; each is taken once. */
  takes(id: string): boolean {
    return this.#waiting.delete(id);
  }

  /** A result was given. True: it was the last, and one of them wants an answer. */
  finished(answer: boolean): boolean {
    this.#answerWanted ||= answer;
    if (this.#waiting.size > 0 || !this.#answerWanted) return false;
    this.#answerWanted = false;
    return true;
  }
}
