import { timestampDistance } from './serial-number.ts';
import { parseTelephoneEvent } from './telephone-event.ts';

/** A key held for 40 ms was pressed (Q.24). Some senders never set the end bit, and the last packets may be lost. */
const PRESSED_SAMPLES = 320;
/** A packet of an earlier event may be this late; one that seems older follows a jump of the sender's clock. */
const LATEST_SAMPLES = 40_000;

/** Turns RFC 4733 events into digits: one per event, however many packets report it and in whatever order. */
export class DigitReceiver {
  #lastEventAt: number | undefined;

  /** `timestamp` is the RTP timestamp: the event's start, the same in all of its packets. */
  receive(timestamp: number, payload: Uint8Array): string | null {
    const event = parseTelephoneEvent(payload);
    if (!event || !(event.end || event.durationSamples >= PRESSED_SAMPLES)) return null;
    if (this.#isDuplicate(timestamp)) return null;
    this.#lastEventAt = timestamp;
    return event.digit;
  }

  /** Another source has its own timestamps. */
  reset(): void {
    this.#lastEventAt = undefined;
  }

  #isDuplicate(timestamp: number): boolean {
    if (this.#lastEventAt === undefined) return false;
    const distance = timestampDistance(this.#lastEventAt, timestamp);
    return distance <= 0 && distance > -LATEST_SAMPLES;
  }
}
