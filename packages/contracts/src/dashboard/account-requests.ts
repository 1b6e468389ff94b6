import { z } from 'zod';
import { accountIdSchema, requestIdSchema } from '../ids.ts';
import { storableText } from '../text.ts';
import { nextAfterSchema } from './page-query.ts';

const timestamp = z.iso.datetime({ precision: 3 });

/** What an account's owner asks the operators for, such as a number or credit. */
export const accountRequestSchema = z.strictObject({
  id: requestIdSchema,
  account: z.strictObject({ id: accountIdSchema, name: z.string() }),
  text: z.string(),
  /** An e-mail address. Null: the user no longer exists. */
  created_by: z.string().nullable(),
  created_at: timestamp,
  /** Null: the request is open. */
  done_at: timestamp.nullable(),
});
export type AccountRequestBody = z.output<typeof accountRequestSchema>;
export const accountRequestEnvelopeSchema = z.strictObject({ request: accountRequestSchema });

/** `GET …/requests` of an account: open requests first, then the newest. */
export const accountRequestListSchema = z.strictObject({
  requests: z.array(accountRequestSchema),
  /** The maximum number of open requests. */
  max_open: z.int(),
});

export const MAX_REQUEST_LENGTH = 1_000;

/** `POST …/requests` of an account, by an owner. */
export const createRequestSchema = z.strictObject({
  text: storableText
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_REQUEST_LENGTH, `must be at most ${MAX_REQUEST_LENGTH} characters`),
});

/** The query of `GET /api/dashboard/operations/requests`. */
export const operatedRequestQuerySchema = z.strictObject({
  state: z.enum(['open', 'done'], 'must be open or done').default('open'),
  after: requestIdSchema.optional(),
});
/** Open requests: oldest first. Done requests: newest first. */
export const operatedRequestListSchema = z.strictObject({
  requests: z.array(accountRequestSchema),
  next_after: nextAfterSchema,
  /** Over all accounts. */
  open_count: z.int(),
});
