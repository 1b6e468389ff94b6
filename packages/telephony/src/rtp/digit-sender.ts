import { FRAME_SAMPLES } from '@outdial/calls';
import type { TelephoneEvent } from './telephone-event.ts';

/** 100 ms down: exchanges need 40 ms, and menus behind compression need more. */
const DOWN_FRAMES = 5;
/**
 * The end packet is sent three times, a frame apart, because it may be lost like any other (RFC 4733 section 2.5.1.4).
 */
const END_REPEATS = 2;
/** The pause between two digits is 60 ms, including the repeated end packets: Q.24 asks for 40 ms. */
const GAP_FRAMES = 1;

/** What to send in a frame: a packet of an event, or no digit. */
export interface DigitStep {
  readonly event: TelephoneEvent;
  /** The event's first packet: it carries the marker, and its timestamp is the event's. */
  readonly first: boolean;
}

/** Sends digits as events, one step per frame. */
export class DigitSender {
  #waiting = '';
  #digit: string | undefined;
  #frame = 0;

  /** Appends digits that `onlyDigits` has filtered. */
  queue(digits: string): void {
    this.#waiting += digits;
  }

  get isIdle(): boolean {
    return this.#digit === undefined && this.#waiting === '';
  }

  /** The step of this frame; undefined when the frame belongs to the voice. */
  next(): DigitStep | undefined {
    if (this.#digit === undefined && !this.#begin()) return undefined;
    const digit = this.#digit;
    const frame = this.#frame;
    this.#frame += 1;
    if (this.#frame === DOWN_FRAMES + END_REPEATS + GAP_FRAMES) this.#digit = undefined;
    if (digit === undefined || frame >= DOWN_FRAMES + END_REPEATS) return undefined;
    const framesDown = Math.min(frame + 1, DOWN_FRAMES);
    const event = { digit, end: frame + 1 >= DOWN_FRAMES, durationSamples: framesDown * FRAME_SAMPLES };
    return { event, first: frame === 0 };
  }

  #begin(): boolean {
    if (this.#waiting === '') return false;
    this.#digit = this.#waiting.slice(0, 1);
    this.#waiting = this.#waiting.slice(1);
    this.#frame = 0;
    return true;
  }
}
