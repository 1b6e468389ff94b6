export interface HeardSound {
  readonly ulaw: Uint8Array;
  readonly fromMs: number;
}

/** 10 s of µ-law at 8 kHz. */
const MAX_BYTES = 80_000;

/** What was heard before the provider accepted the settings: the newest ten seconds. */
export class HeldBackSound {
  #sounds: HeardSound[] = [];
  #bytes = 0;

  add(sound: HeardSound): void {
    this.#sounds.push(sound);
    this.#bytes += sound.ulaw.length;
    while (this.#bytes > MAX_BYTES) this.#bytes -= this.#sounds.shift()?.ulaw.length ?? this.#bytes;
  }

  take(): readonly HeardSound[] {
    const sounds = this.#sounds;
    this.#sounds = [];
    this.#bytes = 0;
    return sounds;
  }
}
