import { z } from 'zod';
import { nextAfterSchema, pageQueryFields } from './page-query.ts';

export const deckSchema = z.strictObject({
  currency: z.string(),
  version: z.int(),
  rates: z.int(),
  updated_at: z.iso.datetime({ precision: 3 }),
});
export type DeckBody = z.output<typeof deckSchema>;
/** `GET /api/dashboard/operations/rate-decks`, sorted by currency. */
export const deckListSchema = z.strictObject({ decks: z.array(deckSchema) });

export const operatedRateSchema = z.strictObject({
  prefix: z.string(),
  description: z.string(),
  /** Exact decimals in the deck's currency. */
  connection_fee: z.string(),
  price_per_minute: z.string(),
  /** `60/60`: the first block and the following ones, in seconds. */
  increments: z.string(),
});
export type OperatedRateBody = z.output<typeof operatedRateSchema>;

const currencyParam = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD');
export const deckParamsSchema = z.object({ currency: currencyParam });

/** The query of `GET …/rate-decks/{currency}/rates`: `search` matches digits of a number, or part of a description. */
export const rateQuerySchema = z.strictObject({
  ...pageQueryFields,
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be `next_after` of the previous page')
    .optional(),
});
/** Sorted by prefix. */
export const rateListSchema = z.strictObject({ rates: z.array(operatedRateSchema), next_after: nextAfterSchema });

/** `POST …/rate-decks/{currency}/import`; its body is the CSV file. It replaces the whole deck or changes nothing. */
export const importedDeckSchema = z.strictObject({ deck: deckSchema });

/** `details` of `rates_not_valid`. */
export const rateProblemsSchema = z.strictObject({
  /** Sorted by line, the first hundred. Lines count from 1, including the header. */
  problems: z.array(z.strictObject({ line: z.int(), column: z.string().nullable(), message: z.string() })),
  problem_count: z.int(),
});

export const MAX_RATES_FILE_BYTES = 10 * 1024 * 1024;
