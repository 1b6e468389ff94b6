import { storableText } from './text.ts';

/** Whatever leaves nothing on the screen: joiners, fillers, blanks. Beside them stands what can be seen, or a name is none. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800\uFFF9-\uFFFB]/u;

/**
 * Embeddings, overrides and isolates of direction: they turn round what stands after the name too, and make one name look
 * like another. Arabic and Hebrew need none of them in a name: their letters have a direction of their own.
 */
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/u;

/** What people tell things by: accounts, users, agents, keys. */
export const nameText = (maxLength: number) =>
  storableText
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((name) => name === '' || VISIBLE.test(name), 'must contain a visible character')
    .refine(
      (name) => !TURNS_DIRECTION.test(name),
      'must not contain characters that change the text direction (U+202A to U+202E, U+2066 to U+2069)',
    );
