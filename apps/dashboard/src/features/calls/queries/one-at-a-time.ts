/**
 * Runs tasks one after the other. A task that arrives while another runs waits and replaces the waiting one, so that
 * the latest always runs.
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
