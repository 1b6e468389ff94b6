/** The payload of an RFC 4733 event (section 2.3). */
export interface TelephoneEvent {
  /** A DTMF digit: 0-9, *, #, A-D. */
  readonly digit: string;
  /** The key was released. */
  readonly end: boolean;
  /** How long the key has been down, in samples: 1 … 65,535. */
  readonly durationSamples: number;
}

export const TELEPHONE_EVENT_BYTES = 4;

/** Events 0 … 15 in order (RFC 4733 section 3.2). */
const DIGITS = '0123456789*#ABCD';
/** -10 dBm0, the level of a telephone. */
const VOLUME = 10;

/** The digits among these characters, in the form of events. */
export const onlyDigits = (text: string): string =>
  Array.from(text.toUpperCase())
    .filter((character) => DIGITS.includes(character))
    .join('');

/** Null for any event other than a DTMF digit, such as hook flashes and fax tones. */
export function parseTelephoneEvent(payload: Uint8Array): TelephoneEvent | null {
  const [event, flags, durationHigh, durationLow] = payload;
  if (event === undefined || flags === undefined || durationHigh === undefined || durationLow === undefined)
    return null;
  const digit = DIGITS[event];
  if (digit === undefined) return null;
  return { digit, end: (flags & 0x80) !== 0, durationSamples: (durationHigh << 8) | durationLow };
}

export function writeTelephoneEvent(event: TelephoneEvent, target: Buffer, offset: number): void {
  target[offset] = DIGITS.indexOf(event.digit);
  target[offset + 1] = (event.end ? 0x80 : 0) | VOLUME;
  target.writeUInt16BE(event.durationSamples, offset + 2);
}
