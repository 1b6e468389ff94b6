import { z } from 'zod';
import { e164Schema } from './e164.ts';
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
  to_number: e164Schema.describe('The number to call.'),
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
