/**
 * Does the latest of what is asked for, one after the other. What is asked for while something is being done waits, and
 * takes the place of what waited before: asked faster than it can be done, it still gets done.
 */
export class OneAtATime {
  #next: (() => Promise<unknown>) | null = null;
  #isBusy = false;

  readonly run = async (work: () => Promise<unknown>): Promise<void> => {
    this.#next = work;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let next = this.#take(); next !== null; next = this.#take()) await next();
    } finally {
      this.#isBusy = false;
    }
  };

  #take(): (() => Promise<unknown>) | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }
}
