import { BYTES_PER_MS } from './ulaw.ts';

export interface HeardSound {
  readonly ulaw: Uint8Array;
  readonly fromMs: number;
}

const MAX_BYTES = 10_000 * BYTES_PER_MS;

/** The newest ten seconds of what was heard, for a provider that does not have it yet. */
export class HeldBackSound {
  #sounds: HeardSound[] = [];
  #bytes = 0;

  add(sound: HeardSound): void {
    this.#sounds.push(sound);
    this.#bytes += sound.ulaw.length;
    while (this.#bytes > MAX_BYTES) this.#bytes -= this.#sounds.shift()?.ulaw.length ?? this.#bytes;
  }

  /** Forgets what ended at this time or before. */
  dropUntil(callMs: number): void {
    for (let oldest = this.#sounds[0]; oldest !== undefined && endOf(oldest) <= callMs; oldest = this.#sounds[0]) {
      this.#bytes -= oldest.ulaw.length;
      this.#sounds.shift();
    }
  }

  peek(): readonly HeardSound[] {
    return this.#sounds;
  }

  take(): readonly HeardSound[] {
    const sounds = this.#sounds;
    this.#sounds = [];
    this.#bytes = 0;
    return sounds;
  }
}

const endOf = ({ ulaw, fromMs }: HeardSound): number => fromMs + ulaw.length / BYTES_PER_MS;
