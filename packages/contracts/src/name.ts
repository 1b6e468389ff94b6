import { storableText } from './text.ts';

/** Excludes everything that shows nothing on the screen: joiners, fillers, blanks. A name needs at least one match. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800\uFFF9-\uFFFB]/u;

/**
 * Embeddings, overrides and isolates of direction. They also reverse the text after the name, and make one name look
 * like another. Arabic and Hebrew names need none of them: their characters have a direction already.
 */
const CHANGES_DIRECTION = /[\u202A-\u202E\u2066-\u2069]/u;

/** The display name of an account, user, agent or key. */
export const nameText = (maxLength: number) =>
  storableText
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine((name) => name === '' || VISIBLE.test(name), 'must contain a visible character')
    .refine(
      (name) => !CHANGES_DIRECTION.test(name),
      'must not contain characters that change the text direction (U+202A to U+202E, U+2066 to U+2069)',
    );
