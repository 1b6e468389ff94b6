import type { Socket } from 'node:net';

/** One direction of a connection: bytes in order, late if they must be. */
export class Flow {
  readonly #to: Socket;
  #delayMs: number;
  #silent: boolean;
  #held = false;
  #muted = false;
  #ending = false;
  /** Not to be overtaken by what comes after a delay was lifted. */
  #lastDueMs = 0;
  #underWay = 0;
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

  /** The sender is gone: the receiver learns it after what is still on its way. */
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
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs + this.#delayMs, this.#lastDueMs);
    if (dueMs <= nowMs) {
      this.#write(chunk);
      return;
    }
    this.#lastDueMs = dueMs;
    this.#underWay += 1;
    setTimeout(() => {
      this.#underWay -= 1;
      this.#write(chunk);
      this.#endIfEmpty();
    }, dueMs - nowMs);
  }

  #write(chunk: Buffer): void {
    if (this.#to.writable) this.#to.write(chunk);
  }

  #endIfEmpty(): void {
    if (this.#ending && this.#underWay === 0 && this.#kept.length === 0) this.#to.end();
  }
}
