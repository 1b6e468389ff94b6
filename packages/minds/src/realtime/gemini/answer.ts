import type { Downsampler } from '../../sound/downsampler.ts';

/** One answer of the model, while it comes. */
export class Answer {
  /** Its item. */
  readonly name: string;
  /** The callee does not hear it. */
  readonly isMuted: boolean;
  isCut = false;
  wasInterrupted = false;
  /** It has sound, or calls a tool. */
  saidSomething = false;
  words = '';
  readonly #downsampler: Downsampler;
  #hasSound = false;
  #isSoundOver = false;

  /** `downsampler`: of the provider's rate, between two sounds. */
  constructor(name: string, isMuted: boolean, downsampler: Downsampler) {
    this.#downsampler = downsampler;
    this.name = name;
    this.isMuted = isMuted;
  }

  /** Nothing more of it is played. */
  get isDropped(): boolean {
    return this.isMuted || this.isCut;
  }

  /** It is being made for the callee, and not complete. */
  get isMaking(): boolean {
    return !this.isMuted && !this.#isSoundOver;
  }

  /** Linear PCM. Returns what can be played. */
  sound(pcm: Uint8Array): Uint8Array {
    this.#hasSound = true;
    this.saidSomething = true;
    return this.#downsampler.push(pcm);
  }

  /** No more sound follows. Null: it has none, or that is known. */
  endSound(): Uint8Array | null {
    if (!this.#hasSound || this.#isSoundOver) return null;
    this.#isSoundOver = true;
    return this.#downsampler.end();
  }
}
