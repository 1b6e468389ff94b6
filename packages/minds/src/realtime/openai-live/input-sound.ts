import type { HeardSound } from '../../sound/held-back-sound.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';
import { isLoud } from './speech-segments.ts';

/**
 * The callee's sound on its way to a model that hears it at the speed of life: what is sent faster waits there, and every
 * answer after it would be late. Speech that was held back is sent at once, and as much silence after it is left out.
 */
export class InputSound {
  readonly #send: (sound: HeardSound) => void;
  #behindMs = 0;

  constructor(send: (sound: HeardSound) => void) {
    this.#send = send;
  }

  /** As it is heard. */
  add(sound: HeardSound): void {
    if (this.#behindMs > 0 && !isLoud(sound.ulaw)) {
      this.#behindMs -= sound.ulaw.length / BYTES_PER_MS;
      return;
    }
    this.#send(sound);
  }

  /** What was said while nothing could be sent, without the silence around it. `begin`: speech follows. */
  catchUp(pieces: readonly HeardSound[], begin: () => void): void {
    const first = pieces.findIndex(({ ulaw }) => isLoud(ulaw));
    if (first < 0) return;
    begin();
    const last = pieces.findLastIndex(({ ulaw }) => isLoud(ulaw));
    for (const piece of pieces.slice(first, last + 1)) {
      this.#behindMs += piece.ulaw.length / BYTES_PER_MS;
      this.#send(piece);
    }
  }
}
