import { z } from 'zod';
import { calleeNumberSchema, e164Schema } from './e164.ts';
import { endedReasons, ENDED_REASONS, type EndedReason } from './ended-reasons.ts';
import { agentIdSchema } from './ids.ts';
import { jsonObject, storableText } from './text.ts';
import { webhookUrlText } from './webhook-endpoints.ts';

export const CALL_LIMITS = {
  maxDurationSeconds: { min: 5, max: 7_200, default: 1_800 },
  ringTimeoutSeconds: { min: 5, max: 120, default: 30 },
  metadataBytes: 4_096,
  variables: 64,
  variableLength: 1_000,
  variablesBytes: 8_192,
} as const;

export const SCHEDULE_LIMITS = {
  /** How far ahead a call may be scheduled, and may wait. */
  maxAheadDays: 90,
  /** A time that is past by no more than this counts as now. */
  pastToleranceSeconds: 60,
  attempts: { min: 2, max: 10 },
  afterSeconds: { min: 60, max: 604_800, default: [900, 3_600, 14_400] },
} as const;

/** A schedule that is over leaves no time for a retry. */
const RETRYABLE_REASONS: readonly EndedReason[] = endedReasons.filter(
  (reason) => ENDED_REASONS[reason].retryable && reason !== 'schedule_expired',
);

/** A point in time with an offset: a time without one would mean another moment to each reader. */
const moment = z.iso.datetime({
  offset: true,
  error: 'must be a time with its offset from UTC, such as 2026-12-01T09:00:00Z or 2026-12-01T09:00:00+01:00',
});

export const retrySchema = z.strictObject({
  max_attempts: z
    .int(`must be a whole number from ${SCHEDULE_LIMITS.attempts.min} to ${SCHEDULE_LIMITS.attempts.max}`)
    .min(SCHEDULE_LIMITS.attempts.min, `must be at least ${SCHEDULE_LIMITS.attempts.min}`)
    .max(SCHEDULE_LIMITS.attempts.max, `must be at most ${SCHEDULE_LIMITS.attempts.max}`)
    .describe('How many calls there may be in all, the first one included.'),
  on: z
    .array(
      z.enum(RETRYABLE_REASONS, {
        error: `must be a reason after which a retry may help: ${RETRYABLE_REASONS.join(', ')}`,
      }),
    )
    .min(1, 'must name at least one reason')
    .max(RETRYABLE_REASONS.length, 'must name each reason once')
    .refine((reasons) => new Set(reasons).size === reasons.length, 'must name each reason once')
    .optional()
    .describe(
      'The ended reasons that are followed by a retry; `busy`, `no_answer` and `carrier_unavailable` unless given. After `worker_lost` and `reconciled_unknown` the callee’s telephone may have rung already.',
    ),
  after_seconds: z
    .array(
      z
        .int('must be a whole number of seconds')
        .min(SCHEDULE_LIMITS.afterSeconds.min, `must be at least ${SCHEDULE_LIMITS.afterSeconds.min}`)
        .max(SCHEDULE_LIMITS.afterSeconds.max, `must be at most ${SCHEDULE_LIMITS.afterSeconds.max}`),
    )
    .min(1, 'must have at least one time')
    .max(SCHEDULE_LIMITS.attempts.max - 1, `must have at most ${SCHEDULE_LIMITS.attempts.max - 1} times`)
    .optional()
    .describe('From the end of a call to its retry, by attempt; the last one repeats. 900, 3600, 14400 unless given.'),
});
export type RetryBody = z.output<typeof retrySchema>;

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be a name of letters, digits and underscores');

const boundedSeconds = (bounds: { readonly min: number; readonly max: number }) =>
  z
    .int(`must be a whole number of seconds from ${bounds.min} to ${bounds.max}`)
    .min(bounds.min, `must be at least ${bounds.min}`)
    .max(bounds.max, `must be at most ${bounds.max}`);

/** The body of `POST /outbound/calls`. Strict: a typo must not place a different call. */
export const createCallSchema = z.strictObject({
  to_number: calleeNumberSchema.describe('The number to call.'),
  agent_id: agentIdSchema.describe('An agent that the account owns or has access to.'),
  from_number: e164Schema
    .optional()
    .describe(
      'One of the account’s numbers. If omitted: the account’s default number, else its oldest, else the system’s number if allowed.',
    ),
  variables: z
    .record(variableName, storableText.max(CALL_LIMITS.variableLength))
    .refine(
      (value) => Object.keys(value).length <= CALL_LIMITS.variables,
      `must have at most ${CALL_LIMITS.variables} entries`,
    )
    .refine(
      (value) => utf8Bytes(value) <= CALL_LIMITS.variablesBytes,
      `must be at most ${CALL_LIMITS.variablesBytes} bytes, names and texts together`,
    )
    .optional()
    .describe(
      `Texts for the {{name}} placeholders of the agent’s script, at most ${CALL_LIMITS.variables} of them and ${CALL_LIMITS.variablesBytes} bytes in UTF-8, names and texts together.`,
    ),
  metadata: jsonObject(CALL_LIMITS.metadataBytes)
    .optional()
    .describe(`Your own data, at most ${CALL_LIMITS.metadataBytes} bytes as JSON, returned unchanged.`),
  max_duration_seconds: boundedSeconds(CALL_LIMITS.maxDurationSeconds)
    .optional()
    .describe(`Maximum talk time; default ${CALL_LIMITS.maxDurationSeconds.default}.`),
  ring_timeout_seconds: boundedSeconds(CALL_LIMITS.ringTimeoutSeconds)
    .optional()
    .describe(`Maximum ringing time; default ${CALL_LIMITS.ringTimeoutSeconds.default}.`),
  scheduled_for: moment
    .optional()
    .describe(
      `Not before this time, at most ${SCHEDULE_LIMITS.maxAheadDays} days ahead. The call is \`scheduled\` until then: it reserves no funds and no slot, which are checked when its time has come.`,
    ),
  expires_at: moment
    .optional()
    .describe(
      'When to give up, after `scheduled_for`. A call that is not being dialed by then ends as `schedule_expired`, or as `queue_expired` if it has a slot already, and no retry begins later. Unless given: 24 hours after `scheduled_for`, 7 days after it with `retry`, and with `on_capacity: queue` alone the time to live of the queue; of a call that is accepted to wait for calling hours, not before 24 hours after they open.',
    ),
  on_capacity: z
    .enum(['reject', 'queue'])
    .optional()
    .describe(
      'What to do while every slot is taken. `reject`, the default: answer 429. `queue`: the call is `scheduled` and dialed once a slot is free.',
    ),
  on_closed: z
    .enum(['reject', 'wait'])
    .optional()
    .describe(
      'What to do while the calling policy keeps the callee’s hours closed. `reject`: answer 403. `wait`: the call is `scheduled` and dialed once all are open. `wait` unless given with `scheduled_for`, else `reject`.',
    ),
  callee_time_zone: z
    .string()
    .min(1, 'must not be empty')
    .max(64, 'must be at most 64 characters')
    .optional()
    .describe(
      'The callee’s time zone (IANA, such as `America/Denver`). It is added to the zones of the number, and all must be open; it is taken alone if the calling policy has `trust_given_zone`, and so has the operator’s floor if there is one.',
    ),
  retry: retrySchema
    .optional()
    .describe(
      'Calls again if the call ends for one of these reasons. A retry is another call, with its own id and cost; it names this one in `retry_of`.',
    ),
  webhook_url: webhookUrlText
    .optional()
    .describe(
      'Receives the webhooks of this call, besides the endpoints of the account. They are signed with the secret for URLs of calls.',
    ),
});

function utf8Bytes(variables: Readonly<Record<string, string>>): number {
  const encoder = new TextEncoder();
  return Object.entries(variables).reduce((sum, [name, text]) => sum + name.length + encoder.encode(text).length, 0);
}

export type CreateCallBody = z.output<typeof createCallSchema>;

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
  .describe('Makes the request safe to retry: the same key and body return the same call for as long as it is stored.');

/** The body of `PATCH /outbound/calls/{id}`. */
export const updateCallSchema = z.strictObject({
  review_note: storableText.max(4_000).nullable().describe('Null removes it.'),
});
