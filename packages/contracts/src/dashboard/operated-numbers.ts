import { z } from 'zod';
import { e164Schema } from '../e164.ts';
import { accountIdSchema, phoneNumberIdSchema } from '../ids.ts';
import { nextAfterSchema, pageQueryFields } from './page-query.ts';

/**
 * A number of an account, or of the system. Accounts without a number may call from the system's default number if they
 * are allowed to. The system's other numbers place no calls; they wait to be assigned.
 */
export const operatedNumberSchema = z.strictObject({
  id: phoneNumberIdSchema,
  number: e164Schema,
  /** Null: the number is the system's. */
  account: z.strictObject({ id: accountIdSchema, name: z.string() }).nullable(),
  active: z.boolean(),
  outbound_enabled: z.boolean(),
  is_default: z.boolean(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type OperatedNumberBody = z.output<typeof operatedNumberSchema>;

/** The query of `GET /api/dashboard/operations/numbers`: `search` matches numbers and names of accounts. */
export const operatedNumberQuerySchema = z.strictObject({
  ...pageQueryFields,
  account_id: accountIdSchema.optional(),
  after: phoneNumberIdSchema.optional(),
});
/** Sorted by number. */
export const operatedNumberListSchema = z.strictObject({
  numbers: z.array(operatedNumberSchema),
  next_after: nextAfterSchema,
});
/** `POST /api/dashboard/operations/numbers`. Without an account, the number is the system's and can be assigned later. */
export const addNumberSchema = z.strictObject({ number: e164Schema, account_id: accountIdSchema.nullable() });
/** `PUT /api/dashboard/operations/numbers/{number_id}/account`. Null returns the number to the system. */
export const assignNumberSchema = z.strictObject({ account_id: accountIdSchema.nullable() });
/** `PUT /api/dashboard/operations/numbers/{number_id}/outbound`. */
export const setOutboundSchema = z.strictObject({ enabled: z.boolean() });
/** `PUT /api/dashboard/operations/system-number`. It replaces the previous one. */
export const setSystemNumberSchema = z.strictObject({ number_id: phoneNumberIdSchema });
