import type { ModelUse } from './model-use.ts';

export interface LateInput<Target> {
  readonly use: ModelUse;
  readonly open: () => Target;
  readonly refused: () => void;
}

/** Something that is opened once its call may use it; what is asked of it before waits. */
export class Late<Target extends { close(): void }> {
  #target: Target | null = null;
  #waiting: ((target: Target) => void)[] = [];
  #isOver = false;

  constructor(input: LateInput<Target>) {
    void this.#begin(input);
  }

  /** Null until it is. */
  get opened(): Target | null {
    return this.#target;
  }

  do(act: (target: Target) => void): void {
    if (this.#target !== null) act(this.#target);
    else if (!this.#isOver) this.#waiting.push(act);
  }

  close(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#target?.close();
  }

  async #begin({ use, open, refused }: LateInput<Target>): Promise<void> {
    const may = await use.mayUse();
    if (this.#isOver) return;
    if (!may) {
      this.#isOver = true;
      return refused();
    }
    const target = open();
    this.#target = target;
    for (const act of this.#waiting.splice(0)) act(target);
  }
}
