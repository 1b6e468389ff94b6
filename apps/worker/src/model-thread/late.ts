import type { ModelUse } from './model-use.ts';

/** Something that is opened once its call may use it; what is asked of it before waits. */
export class Late<Target extends { close(): void }> {
  #target: Target | null = null;
  #waiting: ((target: Target) => void)[] = [];
  #isOver = false;

  constructor(input: { readonly use: ModelUse; readonly open: () => Target; readonly refused: () => void }) {
    void input.use.mayUse().then((may) => {
      if (this.#isOver) return;
      if (!may) {
        this.#isOver = true;
        return input.refused();
      }
      const target = input.open();
      this.#target = target;
      for (const act of this.#waiting.splice(0)) act(target);
    });
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
}
