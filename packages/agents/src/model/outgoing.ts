import { FRAME_MS, type Frame } from '@outdial/calls';
import type { ToMind } from './bridge.ts';
import { ULAW_FRAME_BYTES } from './playout.ts';
import { encodeUlaw } from './ulaw.ts';

/** Fewer, larger messages cost less; 100 ms would delay every answer. */
const FRAMES_A_MESSAGE = 2;

/** The callee's sound on its way to the mind, and what the ear makes of it. */
export class Outgoing {
  readonly #send: (message: ToMind) => void;
  #ulaw = new Uint8Array(FRAMES_A_MESSAGE * ULAW_FRAME_BYTES);
  #frames = 0;
  #speaking = false;

  constructor(send: (message: ToMind) => void) {
    this.#send = send;
  }

  /** `fromMs`: the time of the frame's first sample. */
  add(frame: Frame, fromMs: number): void {
    encodeUlaw(frame, this.#ulaw, this.#frames * ULAW_FRAME_BYTES);
    this.#frames += 1;
    if (this.#frames < FRAMES_A_MESSAGE) return;
    const ulaw = this.#ulaw;
    // The message takes the memory with it.
    this.#ulaw = new Uint8Array(FRAMES_A_MESSAGE * ULAW_FRAME_BYTES);
    this.#frames = 0;
    this.#send({ kind: 'audio', ulaw, fromMs: fromMs - (FRAMES_A_MESSAGE - 1) * FRAME_MS });
  }

  /** Call it once a frame. `speechSinceMs`: since when the callee speaks; null while not. */
  follow(speechSinceMs: number | null, nowMs: number): void {
    const isSpeaking = speechSinceMs !== null;
    if (isSpeaking === this.#speaking) return;
    this.#speaking = isSpeaking;
    this.#send({ kind: 'speech', is: isSpeaking ? 'began' : 'ended', atMs: speechSinceMs ?? nowMs });
  }
}
