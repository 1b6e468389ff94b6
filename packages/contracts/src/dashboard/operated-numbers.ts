import { z } from 'zod';
import { e164Schema } from '../e164.ts';
import { accountIdSchema, phoneNumberIdSchema } from '../ids.ts';
import { nextAfterSchema, pageQueryFields } from './page-query.ts';

/**
 * A number of an account, or of the system. The system's default is what accounts without a number may call from, if they
 * are allowed to; no account calls from its other numbers, which wait to be assigned.
 */
export const operatedNumberSchema = z.strictObject({
  id: phoneNumberIdSchema,
  number: e164Schema,
  /** Null: the system's. */
  account: z.strictObject({ id: accountIdSchema, name: z.string() }).nullable(),
  active: z.boolean(),
  outbound_enabled: z.boolean(),
  is_default: z.boolean(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type OperatedNumberBody = z.output<typeof operatedNumberSchema>;

/** The query of `GET /api/dashboard/operations/numbers`: `search` looks at numbers and names of accounts. */
export const operatedNumberQuerySchema = z.strictObject({
  ...pageQueryFields,
  account_id: accountIdSchema.optional(),
  after: phoneNumberIdSchema.optional(),
});
/** By number. */
export const operatedNumberListSchema = z.strictObject({
  numbers: z.array(operatedNumberSchema),
  next_after: nextAfterSchema,
});
/** `POST /api/dashboard/operations/numbers`. Without an account it is the system's, to be assigned later. */
export const addNumberSchema = z.strictObject({ number: e164Schema, account_id: accountIdSchema.nullable() });
/** `PUT /api/dashboard/operations/numbers/{number_id}/account`. Null takes it back from its account. */
export const assignNumberSchema = z.strictObject({ account_id: accountIdSchema.nullable() });
/** `PUT /api/dashboard/operations/numbers/{number_id}/outbound`. */
export const setOutboundSchema = z.strictObject({ enabled: z.boolean() });
/** `PUT /api/dashboard/operations/system-number`. It takes the place of the one before. */
export const setSystemNumberSchema = z.strictObject({ number_id: phoneNumberIdSchema });
