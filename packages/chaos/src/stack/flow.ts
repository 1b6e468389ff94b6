import type { Socket } from 'node:net';

/** One direction of a connection: bytes in order, delayed if required. */
export class Flow {
  readonly #to: Socket;
  #delayMs: number;
  #silent: boolean;
  #held = false;
  #muted = false;
  #ending = false;
  /** Pending chunks in one queue: with one timer each some could overtake others, since timers promise no order. */
  readonly #late: { readonly chunk: Buffer; readonly dueMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #kept: Buffer[] = [];

  constructor(to: Socket, state: { readonly delayMs: number; readonly silent: boolean }) {
    this.#to = to;
    this.#delayMs = state.delayMs;
    this.#silent = state.silent;
  }

  push(chunk: Buffer): void {
    if (this.#muted) return;
    if (this.#held || this.#silent) this.#kept.push(chunk);
    else this.#send(chunk);
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#flush();
  }

  mute(): void {
    this.#muted = true;
    this.#kept = [];
    this.#endIfEmpty();
  }

  adjust({ delayMs, silent }: { readonly delayMs: number; readonly silent: boolean }): void {
    this.#delayMs = delayMs;
    this.#silent = silent;
    this.#flush();
  }

  /** The sender is gone: the receiver learns it after everything that is still on its way. */
  endWhenEmpty(): void {
    this.#ending = true;
    this.#endIfEmpty();
  }

  #flush(): void {
    if (this.#held || this.#silent) return;
    for (const chunk of this.#kept.splice(0)) this.#send(chunk);
    this.#endIfEmpty();
  }

  #send(chunk: Buffer): void {
    if (this.#delayMs === 0 && this.#late.length === 0) {
      this.#write(chunk);
      return;
    }
    this.#late.push({ chunk, dueMs: performance.now() + this.#delayMs });
    this.#waitForFirst();
  }

  #waitForFirst(): void {
    const [first] = this.#late;
    if (!first || this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#arrive();
      },
      Math.ceil(first.dueMs - performance.now()),
    );
  }

  #arrive(): void {
    const nowMs = performance.now();
    for (let [first] = this.#late; first && first.dueMs <= nowMs; [first] = this.#late) {
      this.#late.shift();
      this.#write(first.chunk);
    }
    this.#endIfEmpty();
    this.#waitForFirst();
  }

  #write(chunk: Buffer): void {
    if (this.#to.writable) this.#to.write(chunk);
  }

  #endIfEmpty(): void {
    if (this.#ending && this.#late.length === 0 && this.#kept.length === 0) this.#to.end();
  }
}
