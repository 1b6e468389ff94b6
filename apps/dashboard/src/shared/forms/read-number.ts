import { calleeNumberSchema, type E164 } from '@outdial/contracts';

/** Converts `+1 (202) 555-0100` or `001 202…` to the API's format. Other text stays unchanged. */
export function normalizeNumber(text: string): string {
  const bare = text.trim().replace(/[\s().\-/]/g, '');
  return bare.replace(/^00(?=[1-9])/, '+');
}

/** The number that a user typed, in any common notation. Null: not a complete number with its country code. */
export function readNumber(text: string): E164 | null {
  return calleeNumberSchema.safeParse(normalizeNumber(text)).data ?? null;
}

/** Below a field whose text is not a number. */
export const NUMBER_ERROR = 'Enter a number with its country code, such as +1 202 555 0143';
