import { FRAME_MS } from '@outdial/calls';

/** `sound`: RFC 4733 events between the voice. `signalling`: beside it, such as SIP INFO. */
export type DigitWay = 'sound' | 'signalling';

/** A key is down for 40 ms at least: nobody presses more in a second. */
const MOST_DIGITS_PER_SECOND = 25;
const WINDOW_TICKS = 1_000 / FRAME_MS;

/**
 * Digits until the agent takes them. Some far ends tell of every key in both ways: heard twice, a menu goes wrong. The
 * way in which the first one came is the only one that is listened to. A flood is cut off.
 */
export class DigitInbox {
  #way: DigitWay | undefined;
  #pressed = '';
  #ticks = 0;
  #digitsInWindow = 0;

  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % WINDOW_TICKS === 0) this.#digitsInWindow = 0;
  }

  /** False for a digit that nobody is to hear of. */
  put(digit: string, way: DigitWay): boolean {
    this.#way ??= way;
    if (this.#way !== way || this.#digitsInWindow >= MOST_DIGITS_PER_SECOND) return false;
    this.#digitsInWindow += 1;
    this.#pressed += digit;
    return true;
  }

  take(): string {
    const pressed = this.#pressed;
    this.#pressed = '';
    return pressed;
  }
}
