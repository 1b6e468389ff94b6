import { callIdSchema, type CallId } from './ids.ts';

/** What a search text may mean. A call is found if it matches any part that is not null. */
export interface CallSearch {
  readonly callId: CallId | null;
  readonly number: NumberPart | null;
  readonly metadata: MetadataPart | null;
}

/** A part of a called number. */
export interface NumberPart {
  readonly digits: string;
  /** The text had the plus sign or `00` before its digits: the number starts with them. */
  readonly isStart: boolean;
}

/** A whole value at the top level of the metadata; case does not matter. */
export interface MetadataPart {
  /** Null: any key. */
  readonly key: string | null;
  readonly value: string;
}

/** Nearly every number contains shorter sequences of digits. */
const FEWEST_DIGITS = 3;
const NUMBER_FORM = /^[\d\s().+/-]+$/;
const PAIR_FORM = /^\s*([^=\s][^=]*?)\s*=\s*(\S.*?)\s*$/s;

/** Parses `0100`, `(202) 555`, `+1 202`, a call's id, `order=1042` or a value of the metadata. */
export function parseCallSearch(text: string): CallSearch {
  const trimmed = text.trim();
  const callId = callIdSchema.safeParse(trimmed.toLowerCase());
  if (callId.success) return { callId: callId.data, number: null, metadata: null };
  const [, key, value] = PAIR_FORM.exec(trimmed) ?? [];
  if (key !== undefined && value !== undefined) return { callId: null, number: null, metadata: { key, value } };
  return { callId: null, number: parseNumberPart(trimmed), metadata: { key: null, value: trimmed } };
}

function parseNumberPart(text: string): NumberPart | null {
  if (!NUMBER_FORM.test(text)) return null;
  const international = text.replace(/^00(?=[1-9])/, '+');
  const digits = international.replaceAll(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return null;
  return { digits, isStart: international.startsWith('+') };
}

/** Whether a call matches, by the same rules as the API. */
export function matchesCallSearch(
  call: { readonly id: string; readonly callee_number: string; readonly metadata?: Readonly<Record<string, unknown>> },
  { callId, number, metadata }: CallSearch,
): boolean {
  if (callId !== null) return call.id === callId;
  const calledDigits = call.callee_number.slice(1);
  if (
    number !== null &&
    (number.isStart ? calledDigits.startsWith(number.digits) : calledDigits.includes(number.digits))
  )
    return true;
  if (metadata === null) return false;
  return Object.entries(call.metadata ?? {}).some(
    ([key, value]) =>
      (metadata.key === null || key.toLowerCase() === metadata.key.toLowerCase()) &&
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
      String(value).toLowerCase() === metadata.value.toLowerCase(),
  );
}
