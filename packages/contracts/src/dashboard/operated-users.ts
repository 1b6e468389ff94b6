import { z } from 'zod';
import { accountIdSchema } from '../ids.ts';
import { nextAfterSchema, pageQueryFields } from './page-query.ts';
import { ROLES } from './session.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const userIdText = z.guid('must be a UUID').toLowerCase();

export const operatedUserSchema = z.strictObject({
  id: userIdText,
  name: z.string(),
  email: z.string(),
  is_operator: z.boolean(),
  enabled: z.boolean(),
  created_at: timestamp,
  memberships: z.array(z.strictObject({ account_id: accountIdSchema, account_name: z.string(), role: z.enum(ROLES) })),
});
export type OperatedUserBody = z.output<typeof operatedUserSchema>;
export const operatedUserEnvelopeSchema = z.strictObject({ user: operatedUserSchema });

/** The query of `GET /api/dashboard/operations/users`: `search` matches names and e-mail addresses. */
export const operatedUserQuerySchema = z.strictObject({ ...pageQueryFields, after: userIdText.optional() });
/** Newest first. */
export const operatedUserListSchema = z.strictObject({
  users: z.array(operatedUserSchema),
  next_after: nextAfterSchema,
});
/** `PUT /api/dashboard/operations/users/{user_id}/operator`. */
export const setOperatorSchema = z.strictObject({ is_operator: z.boolean() });
