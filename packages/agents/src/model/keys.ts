/** Keys that belong together come within this time. */
const KEYS_WITHIN_MS = 1_500;

/** The keys that the callee presses, until they are complete. */
export class HeardKeys {
  #keys = '';
  #lastMs = 0;

  add(keys: string, nowMs: number): void {
    this.#keys += keys;
    this.#lastMs = nowMs;
  }

  /** Null: none, or more may follow. */
  take(nowMs: number): string | null {
    const isComplete = this.#keys.endsWith('#') || nowMs - this.#lastMs >= KEYS_WITHIN_MS;
    if (this.#keys === '' || !isComplete) return null;
    const keys = this.#keys;
    this.#keys = '';
    return keys;
  }
}

/** RFC 4733: 100 ms of event, and a pause that telephones tell apart. */
const KEY_MS = 200;
const COMMA_MS = 500;

export type KeyStep =
  | { readonly kind: 'press'; readonly keys: string }
  | { readonly kind: 'done'; readonly id: string };

/** The keys that the model presses, with their pauses. */
export class KeyPresses {
  readonly #steps: { readonly atMs: number; readonly step: KeyStep }[] = [];
  #freeAtMs = 0;

  get busy(): boolean {
    return this.#steps.length > 0;
  }

  /** A comma is a pause of 500 ms. */
  start(id: string, digits: string, nowMs: number): void {
    let atMs = Math.max(nowMs, this.#freeAtMs);
    for (const part of digits.split(/(,)/)) {
      if (part === ',') atMs += COMMA_MS;
      else if (part !== '') {
        this.#steps.push({ atMs, step: { kind: 'press', keys: part } });
        atMs += part.length * KEY_MS;
      }
    }
    this.#freeAtMs = atMs;
    this.#steps.push({ atMs, step: { kind: 'done', id } });
  }

  /** What is due. */
  follow(nowMs: number): readonly KeyStep[] {
    const due: KeyStep[] = [];
    for (let next = this.#steps[0]; next !== undefined && next.atMs <= nowMs; next = this.#steps[0]) {
      due.push(next.step);
      this.#steps.shift();
    }
    return due;
  }
}
