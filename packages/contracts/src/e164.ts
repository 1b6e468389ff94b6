import { z } from 'zod';

const PATTERN = /^\+[1-9]\d{6,14}$/;

/** A plus sign and 7 to 15 digits, the first not 0 (ITU-T E.164); fictional numbers are valid. */
export const e164Schema = z
  .string()
  .regex(PATTERN, 'must be an E.164 telephone number: a plus sign and 7 to 15 digits, such as +12025550143')
  .brand<'E164'>();

export type E164 = z.output<typeof e164Schema>;

/**
 * Networks ignore what follows the ten digits of a North American number: with more of them, one telephone had many numbers, and
 * an entry of a do-not-call list held for one of them.
 */
const isWhole = (number: string): boolean => !number.startsWith('+1') || number.length === '+12025550143'.length;

/** A number that is called. */
export const calleeNumberSchema = e164Schema.refine(
  // Other text has its error already.
  (text) => !PATTERN.test(text) || isWhole(text),
  'must have ten digits after +1',
);

/** The same for the lines of long files: a schema that rejects takes a hundred times as long. */
export function isCalleeNumber(text: string): text is E164 {
  return PATTERN.test(text) && isWhole(text);
}
