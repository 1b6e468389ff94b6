import { z } from 'zod';
import { accountIdSchema } from '../ids.ts';
import { nameText } from '../name.ts';
import { nextAfterSchema, pageQueryFields } from './page-query.ts';
import { wholeNumber } from './whole-number.ts';

export const operatedAccountSchema = z.strictObject({
  id: accountIdSchema,
  name: z.string(),
  currency: z.string(),
  enabled: z.boolean(),
  balance: z.number(),
  capacity: z.int(),
  max_duration_seconds: z.int(),
  ring_timeout_seconds: z.int(),
  may_use_system_number: z.boolean(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type OperatedAccountBody = z.output<typeof operatedAccountSchema>;
export const operatedAccountEnvelopeSchema = z.strictObject({ account: operatedAccountSchema });

/** The query of `GET /api/dashboard/operations/accounts`: `search` matches names, ids and members' e-mail addresses. */
export const operatedAccountQuerySchema = z.strictObject({ ...pageQueryFields, after: accountIdSchema.optional() });
/** Newest first. */
export const operatedAccountListSchema = z.strictObject({
  accounts: z.array(operatedAccountSchema),
  next_after: nextAfterSchema,
});

/** `PATCH /api/dashboard/operations/accounts/{account_id}`. Omitted fields stay unchanged. */
export const updateOperatedAccountSchema = z
  .strictObject({
    name: nameText(200).optional(),
    capacity: wholeNumber(0, 1_000_000).optional(),
    max_duration_seconds: wholeNumber(5, 7_200).optional(),
    ring_timeout_seconds: wholeNumber(5, 120).optional(),
    may_use_system_number: z.boolean().optional(),
  })
  .refine((value) => Object.keys(value).length > 0, 'must have at least one field to change');

/** `PUT …/enabled` of an account, a trunk or a user. */
export const setEnabledSchema = z.strictObject({ enabled: z.boolean() });

export const TOP_UP_AMOUNT_RULE =
  'must be an amount above 0 and below 1000000000, with at most six decimals, such as 25.00';

/** `POST /api/dashboard/operations/accounts/{account_id}/top-ups`. Repeating a key adds nothing. */
export const topUpSchema = z.strictObject({
  amount: z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, TOP_UP_AMOUNT_RULE),
  idempotency_key: z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters'),
});
export const toppedUpSchema = z.strictObject({ account: operatedAccountSchema, repeated: z.boolean() });
