import { z } from 'zod';
import { COMPONENTS } from '../agent-settings/index.ts';
import { CHECK_RESULTS, PROVIDERS } from '../providers.ts';

const timestamp = z.iso.datetime({ precision: 3 });

const breakerFields = {
  component: z.enum(COMPONENTS),
  model: z.string(),
  /** `half_open`: its time is over, and one call at a time may try, after a check of the credential. */
  state: z.enum(['open', 'half_open']),
  /** When it opened first; it has not closed since. */
  since: timestamp,
  /** When it became or becomes half-open. */
  until: timestamp,
  /** How often it has opened since then, at least 1. */
  openings: z.int(),
};

export const operatedBreakerSchema = z.strictObject(breakerFields);
export type OperatedBreakerBody = z.output<typeof operatedBreakerSchema>;

/** A breaker that holds back the calls of one account alone. */
export const accountBreakerSchema = z.strictObject({
  ...breakerFields,
  provider: z.enum(PROVIDERS),
  /** Name null: the account is gone. */
  account: z.strictObject({ id: z.guid(), name: z.string().nullable() }),
  /** Whose calls it holds back: all that use the model, or those of one version of an agent. */
  scope: z.enum(['account', 'agent_version']),
  /** Name of the operator's credential. Null: the account's own. */
  credential: z.string().nullable(),
});
export type AccountBreakerBody = z.output<typeof accountBreakerSchema>;

export const operatedLineSchema = z.strictObject({
  component: z.enum(COMPONENTS),
  /** Calls that have the line now, of all credentials of the group. Null: not known now. */
  in_use: z.int().nullable(),
  max_calls: z.int(),
  starts_per_second: z.int(),
  /** Models that get fewer calls for a time, since the provider reported that its limits are near. */
  lowered: z.array(z.strictObject({ model: z.string(), max_calls: z.int(), until: timestamp })),
});
export type OperatedLineBody = z.output<typeof operatedLineSchema>;

export const operatedCredentialSchema = z.strictObject({
  id: z.guid(),
  provider: z.enum(PROVIDERS),
  name: z.string(),
  /** Credentials of one group share their lines. */
  limits_group: z.string().nullable(),
  rotated_at: timestamp,
  /** Of the present key. Null: never checked. */
  checked_at: timestamp.nullable(),
  /** `rejected`: its lines are closed, and calls wait until the key is rotated, or a check finds it accepted. */
  check_result: z.enum(CHECK_RESULTS).nullable(),
  lines: z.array(operatedLineSchema),
  /** Breakers of its models that hold back all accounts' calls, at most 20. Null: not known now. */
  breakers: z.array(operatedBreakerSchema).nullable(),
});
export type OperatedCredentialBody = z.output<typeof operatedCredentialSchema>;

/** `GET /api/dashboard/operations/providers`, for operators. Nothing of any key. */
export const operatedProvidersSchema = z.strictObject({
  /** The operator's, at most 200: those that take fewer calls than they could come first. */
  credentials: z.array(operatedCredentialSchema),
  has_more: z.boolean(),
  /** At most 50, those that opened last first. Null: not known now. */
  account_breakers: z.array(accountBreakerSchema).nullable(),
  /** How many more of these are open. */
  more_account_breakers: z.int(),
});
export type OperatedProvidersBody = z.output<typeof operatedProvidersSchema>;
