import { z } from 'zod';

/** How many entries a page of a list has. `noun`: what it lists, for the reference. */
export const pageLimit = (noun: string, byDefault = 20) =>
  z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(byDefault)
    // Query values are text; the API reference shows the number that the client writes.
    .meta({ description: `${noun} per page; default ${byDefault}.`, type: 'integer', minimum: 1, maximum: 100 });

export const pageCursor = z.string().max(512).optional().describe('`next_cursor` of the previous page, unchanged.');
