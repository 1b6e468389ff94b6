import { FRAME_SAMPLES } from '@outdial/calls';
import type { TelephoneEvent } from './telephone-event.ts';

/** 100 ms down: exchanges want 40 ms, and menus that hear through compression want more. */
const DOWN_FRAMES = 5;
/** The end is told three times, a frame apart, since it is lost as easily as any packet (RFC 4733 section 2.5.1.4). */
const END_REPEATS = 2;
/** Between two digits nothing is pressed for 60 ms, the repeated ends included: Q.24 asks for 40 ms. */
const GAP_FRAMES = 1;

/** What is due in a frame: a packet of an event, or no digit at all. */
export interface DigitStep {
  readonly event: TelephoneEvent;
  /** The event's first packet: it carries the marker, and its timestamp is the event's. */
  readonly first: boolean;
}

/** Plays digits as events, a step for every frame. */
export class DigitSender {
  #waiting = '';
  #digit: string | undefined;
  #frame = 0;

  /** Appends digits that `onlyDigits` has let through. */
  queue(digits: string): void {
    this.#waiting += digits;
  }

  get isIdle(): boolean {
    return this.#digit === undefined && this.#waiting === '';
  }

  /** The step due in this frame; undefined when the frame belongs to the voice. */
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
