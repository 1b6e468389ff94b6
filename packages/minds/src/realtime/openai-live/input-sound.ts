import { HeldBackSound, type HeardSound } from '../../sound/held-back-sound.ts';
import { BYTES_PER_MS, ULAW_SILENCE } from '../../sound/ulaw.ts';
import { isLoud } from './speech-segments.ts';

/** The model stays behind for as long as this at most: what was said before is lost to it. */
const MAX_CATCH_UP_MS = 3_000;
const KEPT_SILENCE_MS = 600;

export interface InputSoundInput {
  readonly send: (sound: HeardSound) => void;
  /** Silence that was not heard. */
  readonly fill: (ulaw: Uint8Array) => void;
}

/**
 * The callee's sound on its way to a model that hears it at the speed of life: what is sent faster waits there, and every
 * answer after it would be late. Speech that was held back is sent at once, and as much of longer silences after it is left out.
 */
export class InputSound {
  readonly #input: InputSoundInput;
  readonly #heldBack = new HeldBackSound();
  #behindMs = 0;
  #quietMs = 0;

  constructor(input: InputSoundInput) {
    this.#input = input;
  }

  /** As it is heard. */
  add(sound: HeardSound): void {
    const ms = sound.ulaw.length / BYTES_PER_MS;
    this.#quietMs = isLoud(sound.ulaw) ? 0 : this.#quietMs + ms;
    // The beginning of a silence ends a turn.
    if (this.#behindMs > 0 && this.#quietMs > KEPT_SILENCE_MS) this.#behindMs -= ms;
    else this.#input.send(sound);
  }

  /** The model is not to hear it now. `isFilled`: it speaks in the time of what it hears, so it hears silence instead. */
  holdBack(sound: HeardSound, isFilled: boolean): void {
    this.#heldBack.add(sound);
    if (isFilled) this.#input.fill(new Uint8Array(sound.ulaw.length).fill(ULAW_SILENCE));
  }

  /** What was held back, without the silence around it. `begin`: speech follows. */
  catchUp(begin: () => void): void {
    const pieces = this.#heldBack.take();
    const first = pieces.findIndex(({ ulaw }) => isLoud(ulaw));
    if (first < 0) return;
    begin();
    const last = pieces.findLastIndex(({ ulaw }) => isLoud(ulaw));
    const newestMs = pieces[last]?.fromMs ?? 0;
    const said = pieces.slice(first, last + 1).filter(({ fromMs }) => newestMs - fromMs < MAX_CATCH_UP_MS);
    for (const piece of said) {
      this.#behindMs += piece.ulaw.length / BYTES_PER_MS;
      this.#input.send(piece);
    }
  }
}
