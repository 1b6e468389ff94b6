import { FRAME_MS, FRAME_SAMPLES, type Frame, type LegMedia } from '@outdial/calls';
import { decodeG711, encodeG711 } from '@outdial/telephony';

/** A frame as µ-law. */
const FRAME_BYTES = FRAME_SAMPLES;
/** What the browser's sound waits before it is heard, so that late messages leave no gaps. */
const PRIMED_FRAMES = 5;
/** More is late: the oldest is dropped, as of a live call. */
const MOST_WAITING_FRAMES = 25;
/** Frames that are sent as one message. */
const FRAMES_A_MESSAGE = 5;

export interface FrameLineOptions {
  /** Sends some frames of the agent, in µ-law. False: dropped, since what carries them is slow or away. */
  readonly send: (ulaw: Uint8Array) => boolean;
  /** What the person has not heard yet of the agent is not to be played. */
  readonly onCleared: () => void;
}

/**
 * The media of a conversation without a telephone: frames of a browser, which come and go as messages. It never waits: what comes
 * too fast or too late is dropped, both ways.
 */
export class FrameLine implements LegMedia {
  readonly #options: FrameLineOptions;
  readonly #waiting: Uint8Array[] = [];
  readonly #heard = new Int16Array(FRAME_SAMPLES);
  #isPrimed = false;
  #out = new Uint8Array(FRAMES_A_MESSAGE * FRAME_BYTES);
  #outFrames = 0;
  #hasSpoken = false;
  #dropped = 0;

  constructor(options: FrameLineOptions) {
    this.#options = options;
  }

  /** Frames that were dropped, both ways. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whole frames of the person, in µ-law. What is no whole frame is ignored. */
  hear(ulaw: Uint8Array): void {
    for (let at = 0; at + FRAME_BYTES <= ulaw.length; at += FRAME_BYTES) {
      this.#waiting.push(ulaw.slice(at, at + FRAME_BYTES));
    }
    while (this.#waiting.length > MOST_WAITING_FRAMES) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    if (this.#waiting.length >= PRIMED_FRAMES) this.#isPrimed = true;
  }

  receive(): Frame | undefined {
    // The agent has paused: what it said is not to wait for what it says next.
    if (!this.#hasSpoken) this.#flush();
    this.#hasSpoken = false;
    const ulaw = this.#isPrimed ? this.#waiting.shift() : undefined;
    if (ulaw === undefined) {
      this.#isPrimed = false;
      return undefined;
    }
    decodeG711('PCMU', ulaw, this.#heard);
    return this.#heard;
  }

  send(frame: Frame): void {
    this.#hasSpoken = true;
    encodeG711('PCMU', frame, this.#out, this.#outFrames * FRAME_BYTES);
    this.#outFrames += 1;
    if (this.#outFrames === FRAMES_A_MESSAGE) this.#flush();
  }

  /** The agent's sound is at most a message behind; the browser drops what it has not played. */
  clear(): number {
    const clearedMs = this.#outFrames * FRAME_MS;
    this.#outFrames = 0;
    this.#options.onCleared();
    return clearedMs;
  }

  receiveDigits(): string {
    return '';
  }

  /** No telephone menu hears them. */
  sendDigits(): void {}

  #flush(): void {
    const frames = this.#outFrames;
    if (frames === 0) return;
    this.#outFrames = 0;
    const isSent = this.#options.send(this.#out.slice(0, frames * FRAME_BYTES));
    if (!isSent) this.#dropped += frames;
  }
}
