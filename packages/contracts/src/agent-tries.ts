import { z } from 'zod';
import { createCallSchema } from './create-call.ts';
import { agentIdSchema, tryIdSchema } from './ids.ts';
import { PROVIDERS } from './providers.ts';
import { storableText } from './text.ts';

/** How a person talks with an agent that is tried. */
export const TRY_MEDIA = ['text', 'microphone'] as const;
export type TryMedium = (typeof TRY_MEDIA)[number];

/** The bounds of tries, whatever their medium. */
export const TRY_LIMITS = {
  /** At once, of one account. */
  open: 2,
  /** Of one try, at most. */
  seconds: 300,
  /** Of all tries that an account begins within the window. */
  accountSeconds: 600,
  windowSeconds: 3_600,
  /** A try with less time left to it is refused. */
  leastSeconds: 30,
  /** Without a word of either side. */
  idleSeconds: 60,
  textLength: 2_000,
  messages: 100,
} as const;

export const TRY_STATUSES = ['waiting', 'running', 'ended'] as const;

/** Why a try ended. */
export const TRY_END_REASONS = [
  'ended_by_user',
  'agent_hangup',
  'time_over',
  'idle',
  'funds_spent',
  'insufficient_funds',
  'provider_unavailable',
  'provider_rejected',
  'worker_lost',
  'connection_lost',
  'not_started',
] as const;
export type TryEndReason = (typeof TRY_END_REASONS)[number];

const timestamp = z.iso.datetime({ precision: 3 });
const amount = z.number();

export const createTrySchema = z.strictObject({
  version: z.int().min(1).max(2_147_483_647).optional().describe('The saved version. If omitted: the current one.'),
  variables: createCallSchema.shape.variables,
  medium: z
    .enum(TRY_MEDIA)
    .optional()
    .describe('How the callee talks. If omitted: `text`. A member talks by `microphone`, in the dashboard alone.'),
});
export type CreateTryBody = z.output<typeof createTrySchema>;

export const trySchema = z.strictObject({
  id: tryIdSchema.describe('Identifies the try.'),
  agent_id: agentIdSchema.describe('The agent.'),
  agent_version: z.int().describe('Its version.'),
  medium: z.enum(TRY_MEDIA).describe('How the callee talks.'),
  status: z.enum(TRY_STATUSES).describe('`waiting` until a worker has begun.'),
  ended_reason: z.enum(TRY_END_REASONS).nullable().describe('Why it ended. Null until then.'),
  cost: amount.describe('So far, in the account’s currency; final once it has ended.'),
  currency: z.string().describe('Of the account.'),
  created_at: timestamp.describe('When it began.'),
  expires_at: timestamp.describe('When it ends at the latest.'),
});
export type TryBody = z.output<typeof trySchema>;
export const tryEnvelopeSchema = z.strictObject({ try: trySchema.describe('The try.') });

export const tryMessageSchema = z.strictObject({
  text: storableText
    .trim()
    .min(1, 'must not be empty')
    .max(TRY_LIMITS.textLength, `must be at most ${TRY_LIMITS.textLength} characters`)
    .describe('What the callee says.'),
});

const act = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('end_call'), reason: z.string().nullable() }),
  z.strictObject({ kind: z.literal('press_digits'), digits: z.string() }),
  z.strictObject({ kind: z.literal('leave_voicemail') }),
  z.strictObject({
    kind: z.literal('transfer'),
    tool: z.string(),
    destination: z.string(),
    summary: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('opt_out'), reason: z.string().nullable() }),
]);
export type TryAct = z.output<typeof act>;

/** What a try reports, in order. */
export const tryEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('started'),
    component: z.enum(['realtime', 'llm']),
    provider: z.enum(PROVIDERS),
    model: z.string(),
    own_credential: z.boolean(),
  }),
  /** The agent’s words as they come; texts of one `item` add up. */
  z.strictObject({ type: z.literal('agent_text'), item: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('agent_done') }),
  z.strictObject({ type: z.literal('callee_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool_called'),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    result: z.string().nullable(),
    outcome: z.enum(['ok', 'failed', 'refused']),
    duration_ms: z.number(),
  }),
  /** What the agent would do in a call. */
  z.strictObject({ type: z.literal('act'), act }),
  z.strictObject({
    type: z.literal('usage'),
    cost: amount,
    items: z.array(z.strictObject({ unit: z.string(), quantity: z.number() })),
  }),
  /** The last event. */
  z.strictObject({ type: z.literal('ended'), reason: z.enum(TRY_END_REASONS), cost: amount }),
]);
export type TryEvent = z.output<typeof tryEventSchema>;

/** What the browser sends to the worker of a try. */
export const tryInputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('say'), text: z.string() }),
  z.strictObject({ type: z.literal('end') }),
]);
export type TryInput = z.output<typeof tryInputSchema>;
