import { BYTES_PER_MS, ULAW_SILENCE } from '../../../sound/ulaw.ts';

const FIRST_BYTES = 2_000 * BYTES_PER_MS;
/** Sound that never came, as before a hold: a longer gap is no part of a sentence. */
const MAX_GAP_MS = 1_000;

/** The callee's newest sound, of which a turn is a part. It is copied into one piece of memory, which grows. */
export class TurnSound {
  #ulaw = new Uint8Array(FIRST_BYTES);
  #bytes = 0;
  #fromMs = 0;

  get fromMs(): number {
    return this.#fromMs;
  }

  get endMs(): number {
    return this.#fromMs + this.#bytes / BYTES_PER_MS;
  }

  add(ulaw: Uint8Array, fromMs: number): void {
    const gapMs = fromMs - this.endMs;
    if (this.#bytes === 0 || gapMs < 0 || gapMs > MAX_GAP_MS) {
      this.#bytes = 0;
      this.#fromMs = fromMs;
    }
    const gapBytes = this.#bytes === 0 ? 0 : Math.round(gapMs * BYTES_PER_MS);
    this.#grow(this.#bytes + gapBytes + ulaw.length);
    this.#ulaw.fill(ULAW_SILENCE, this.#bytes, this.#bytes + gapBytes);
    this.#ulaw.set(ulaw, this.#bytes + gapBytes);
    this.#bytes += gapBytes + ulaw.length;
  }

  /** A copy of what is here of this time. */
  between(fromMs: number, toMs: number): Uint8Array {
    const at = (ms: number) => Math.max(0, Math.min(this.#bytes, Math.round((ms - this.#fromMs) * BYTES_PER_MS)));
    return this.#ulaw.slice(at(fromMs), at(toMs));
  }

  /** Forgets what was heard before this time. */
  dropUntil(ms: number): void {
    const bytes = Math.min(this.#bytes, Math.round((ms - this.#fromMs) * BYTES_PER_MS));
    if (bytes <= 0) return;
    this.#ulaw.copyWithin(0, bytes, this.#bytes);
    this.#bytes -= bytes;
    this.#fromMs += bytes / BYTES_PER_MS;
  }

  #grow(bytes: number): void {
    if (bytes <= this.#ulaw.length) return;
    const ulaw = new Uint8Array(Math.max(bytes, 2 * this.#ulaw.length));
    ulaw.set(this.#ulaw.subarray(0, this.#bytes));
    this.#ulaw = ulaw;
  }
}
