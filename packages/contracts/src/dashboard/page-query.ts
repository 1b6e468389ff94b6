import { z } from 'zod';
import { storableText } from '../text.ts';

/** The query of a searchable list, as text: `search` and the page size. */
export const pageQueryFields = {
  search: storableText.trim().max(200, 'must be at most 200 characters').default(''),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(50),
};

/** Pass it as `after` to get the next page. Null: this is the last page. */
export const nextAfterSchema = z.string().nullable();
