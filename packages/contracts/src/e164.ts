import { z } from 'zod';

export const MUST_BE_E164 = 'must be an E.164 telephone number: a plus sign and 7 to 15 digits, such as +12025550143';
const PATTERN = /^\+[1-9]\d{6,14}$/;

/** A plus sign and 7 to 15 digits, the first not 0 (ITU-T E.164); fictional numbers are valid. */
export const e164Schema = z.string().regex(PATTERN, MUST_BE_E164).brand<'E164'>();

export type E164 = z.output<typeof e164Schema>;

/** The same for the lines of long files: a schema that rejects takes a hundred times as long. */
export function isE164(text: string): text is E164 {
  return PATTERN.test(text);
}
