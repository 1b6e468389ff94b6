import { z } from 'zod';
import { storableText } from '../text.ts';

/** The query of a searchable list, as text: `search`, the page's size, and where it begins. */
export const pageQueryFields = {
  search: storableText.trim().max(200, 'must be at most 200 characters').default(''),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(50),
};

/** Gives the next page as `after`. Null: this is the last. */
export const nextAfterSchema = z.string().nullable();
