import { BYTES_PER_MS } from './ulaw.ts';

export interface HeardSound {
  readonly ulaw: Uint8Array;
  readonly fromMs: number;
}

const MAX_BYTES = 10_000 * BYTES_PER_MS;
const FIRST_BYTES = 1_000 * BYTES_PER_MS;
/** As long as what comes in a call. */
const PIECE_BYTES = 40 * BYTES_PER_MS;

/** Sound without a gap. */
interface Stretch {
  fromMs: number;
  bytes: number;
}

/**
 * The newest ten seconds of what was heard, for a provider that does not have it yet. It is copied into a ring: the messages
 * in which it comes, kept for seconds, outlive the collector's young generation and take twice the memory.
 */
export class HeldBackSound {
  #ring: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_BYTES);
  /** Where the oldest byte is. */
  #start = 0;
  #bytes = 0;
  /** Oldest first. */
  #stretches: Stretch[] = [];

  add({ ulaw, fromMs }: HeardSound): void {
    if (ulaw.length === 0) return;
    const newest = ulaw.subarray(-MAX_BYTES);
    this.#drop(Math.max(0, this.#bytes + newest.length - MAX_BYTES));
    this.#write(newest);
    const newestFromMs = fromMs + (ulaw.length - newest.length) / BYTES_PER_MS;
    const last = this.#stretches.at(-1);
    if (last !== undefined && endOf(last) === newestFromMs) last.bytes += newest.length;
    else this.#stretches.push({ fromMs: newestFromMs, bytes: newest.length });
  }

  /** Forgets what was heard before this time. */
  dropUntil(callMs: number): void {
    for (let oldest = this.#stretches[0]; oldest !== undefined; oldest = this.#stretches[0]) {
      const past = Math.min(oldest.bytes, Math.floor((callMs - oldest.fromMs) * BYTES_PER_MS));
      if (past <= 0) return;
      this.#drop(past);
    }
  }

  /** In pieces of at most 40 ms. */
  peek(): readonly HeardSound[] {
    const pieces: HeardSound[] = [];
    let from = 0;
    for (const { fromMs, bytes } of this.#stretches) {
      for (let at = 0; at < bytes; at += PIECE_BYTES) {
        const ulaw = this.#read(from + at, Math.min(PIECE_BYTES, bytes - at));
        pieces.push({ ulaw, fromMs: fromMs + at / BYTES_PER_MS });
      }
      from += bytes;
    }
    return pieces;
  }

  take(): readonly HeardSound[] {
    const pieces = this.peek();
    this.#stretches = [];
    this.#bytes = 0;
    return pieces;
  }

  #write(sound: Uint8Array): void {
    this.#grow(this.#bytes + sound.length);
    const at = (this.#start + this.#bytes) % this.#ring.length;
    const untilEnd = sound.subarray(0, this.#ring.length - at);
    this.#ring.set(untilEnd, at);
    this.#ring.set(sound.subarray(untilEnd.length), 0);
    this.#bytes += sound.length;
  }

  #grow(bytes: number): void {
    if (bytes <= this.#ring.length) return;
    const ring = new Uint8Array(Math.min(MAX_BYTES, Math.max(bytes, 2 * this.#ring.length)));
    ring.set(this.#read(0, this.#bytes));
    this.#ring = ring;
    this.#start = 0;
  }

  /** A copy. `from` counts from the oldest byte. */
  #read(from: number, bytes: number): Uint8Array {
    const at = (this.#start + from) % this.#ring.length;
    const sound = new Uint8Array(bytes);
    const untilEnd = this.#ring.subarray(at, at + bytes);
    sound.set(untilEnd);
    sound.set(this.#ring.subarray(0, bytes - untilEnd.length), untilEnd.length);
    return sound;
  }

  #drop(bytes: number): void {
    this.#start = (this.#start + bytes) % this.#ring.length;
    this.#bytes -= bytes;
    let rest = bytes;
    for (let oldest = this.#stretches[0]; oldest !== undefined && rest > 0; oldest = this.#stretches[0]) {
      const dropped = Math.min(rest, oldest.bytes);
      oldest.fromMs += dropped / BYTES_PER_MS;
      oldest.bytes -= dropped;
      rest -= dropped;
      if (oldest.bytes === 0) this.#stretches.shift();
    }
  }
}

const endOf = ({ fromMs, bytes }: Stretch): number => fromMs + bytes / BYTES_PER_MS;
