import { FRAME_MS, type Frame } from '@outdial/calls';
import type { SpokenTurn } from '../hearing/turn-detector.ts';
import type { ToMind } from './bridge.ts';
import { ULAW_FRAME_BYTES } from './playout.ts';
import { encodeUlaw } from './ulaw.ts';

/** Fewer, larger messages cost less; 100 ms would delay every answer. */
const FRAMES_A_MESSAGE = 2;

/** A shorter silence is a part of a word. A mind may take a longer one for the end of a turn. */
const PAUSE_MS = 200;

/** The callee's sound on its way to the mind, and what the ear makes of it. */
export class Outgoing {
  readonly #send: (message: ToMind) => void;
  readonly #ulaw = new Uint8Array(FRAMES_A_MESSAGE * ULAW_FRAME_BYTES);
  #frames = 0;
  #speech: 'none' | 'speaking' | 'paused' = 'none';

  constructor(send: (message: ToMind) => void) {
    this.#send = send;
  }

  /** `fromMs`: the time of the frame's first sample. */
  add(frame: Frame, fromMs: number): void {
    encodeUlaw(frame, this.#ulaw, this.#frames * ULAW_FRAME_BYTES);
    this.#frames += 1;
    if (this.#frames < FRAMES_A_MESSAGE) return;
    this.#frames = 0;
    // A line copies the sound: memory that leaves with each message would have to be allocated and collected.
    this.#send({ kind: 'audio', ulaw: this.#ulaw, fromMs: fromMs - (FRAMES_A_MESSAGE - 1) * FRAME_MS });
  }

  /** Call it once a frame. `turn`: what the callee says; null while nothing. */
  follow(turn: Pick<SpokenTurn, 'startMs' | 'endMs'> | null, nowMs: number): void {
    const before = this.#speech;
    this.#speech = turn === null ? 'none' : nowMs - turn.endMs >= PAUSE_MS ? 'paused' : 'speaking';
    if (this.#speech === before) return;
    if (turn === null) this.#send({ kind: 'speech', is: 'ended', atMs: nowMs });
    else if (before === 'none') this.#send({ kind: 'speech', is: 'began', atMs: turn.startMs });
    else if (before === 'paused') this.#send({ kind: 'speech', is: 'resumed', atMs: turn.endMs });
    else this.#send({ kind: 'speech', is: 'paused', atMs: turn.endMs });
  }
}
