import { FRAME_MS, type Frame, type LegMedia } from '@outdial/calls';

/** The limit of queued audio; a far end plays at most a second late. */
const MAX_QUEUE_FRAMES = 50;

/**
 * The media path between a leg and its callee: frames and digits in both directions. The leg's end is `LegMedia`; the
 * callee's end is `exchange`.
 */
export class MediaPath implements LegMedia {
  #toCallee: Frame[] = [];
  #toCalleeDigits = '';
  #fromCallee: Frame | undefined;
  #fromCalleeDigits = '';
  #open = true;

  receive(): Frame | undefined {
    const frame = this.#fromCallee;
    this.#fromCallee = undefined;
    return frame;
  }

  send(frame: Frame): void {
    if (!this.#open) return;
    if (this.#toCallee.length === MAX_QUEUE_FRAMES) this.#toCallee.shift();
    this.#toCallee.push(frame);
  }

  clear(): number {
    const droppedMs = this.#toCallee.length * FRAME_MS;
    this.#toCallee = [];
    return droppedMs;
  }

  receiveDigits(): string {
    const digits = this.#fromCalleeDigits;
    this.#fromCalleeDigits = '';
    return digits;
  }

  sendDigits(digits: string): void {
    if (this.#open) this.#toCalleeDigits += digits;
  }

  /** One tick of the callee's end: `callee` receives what is due and returns what it says. */
  exchange(callee: (heard: Frame | undefined, digits: string) => Frame | undefined): void {
    const digits = this.#toCalleeDigits;
    this.#toCalleeDigits = '';
    this.#fromCallee = callee(this.#toCallee.shift(), digits);
  }

  pressedByCallee(digits: string): void {
    this.#fromCalleeDigits += digits;
  }

  /** Closes the path and drops what is queued. */
  close(): void {
    this.#open = false;
    this.#toCallee = [];
    this.#fromCallee = undefined;
  }
}
