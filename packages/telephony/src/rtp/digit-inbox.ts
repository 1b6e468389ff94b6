import { FRAME_MS } from '@outdial/calls';

/** `sound`: RFC 4733 events in the media. `signalling`: outside of it, such as SIP INFO. */
export type DigitSource = 'sound' | 'signalling';

/** A key is down for at least 40 ms, which limits the rate. */
const MAX_DIGITS_PER_SECOND = 25;
const WINDOW_TICKS = 1_000 / FRAME_MS;

/**
 * Digits until the agent takes them. Some far ends report every key in both ways, and a duplicate digit breaks a menu:
 * only the way in which the first digit came counts. Floods are cut off.
 */
export class DigitInbox {
  #way: DigitSource | undefined;
  #pressed = '';
  #ticks = 0;
  #digitsInWindow = 0;

  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % WINDOW_TICKS === 0) this.#digitsInWindow = 0;
  }

  /** False for a digit that is dropped. */
  put(digit: string, way: DigitSource): boolean {
    this.#way ??= way;
    if (this.#way !== way || this.#digitsInWindow >= MAX_DIGITS_PER_SECOND) return false;
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
