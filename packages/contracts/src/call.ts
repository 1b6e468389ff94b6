import { z } from 'zod';
import { COMPONENTS } from './agent-settings/index.ts';
import { ANALYSIS_STATUSES, callAnalysisSchema } from './analysis.ts';
import { callFailureSchema } from './call-failures.ts';
import { e164Schema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';
import { PROVIDERS } from './providers.ts';
import { USAGE_UNITS } from './usage.ts';
import { usageItemSchema } from './usage-item.ts';

/** In the order in which a call passes them. It only moves forward; any status may go straight to `ended`. */
export const CALL_STATUSES = ['scheduled', 'queued', 'dialing', 'ringing', 'in_progress', 'ended'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** What a scheduled call waits for. */
export const WAITING_FOR = ['time', 'capacity', 'funds', 'window', 'cap', 'campaign', 'pace', 'provider'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

export const ANSWERED_BY = ['human', 'voicemail', 'ivr', 'screening', 'unknown'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

export const RECORDING_STATUSES = ['pending', 'available', 'none'] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

const timestamp = z.iso.datetime({ precision: 3 });

/** Times are milliseconds from the answer. An agent's turn has the words that were actually played. */
export const turnSchema = z.strictObject({
  role: z
    .enum(['agent', 'callee', 'supervisor'])
    .describe('Who speaks. `supervisor`: an instruction to the model during the call, which the callee did not hear.'),
  text: z
    .string()
    .nullable()
    .describe('The words; for the agent, those that were actually played. Null: not transcribed.'),
  start_ms: z.int().min(0).describe('Milliseconds from answer.'),
  end_ms: z.int().min(0).describe('Milliseconds from answer.'),
  source: z
    .enum(['script', 'model', 'stt', 'dtmf', 'untranscribed', 'instruction'])
    .describe('Where the text comes from.'),
  interrupted: z.boolean().describe('The other side interrupted it before the end.'),
});
export type Turn = z.output<typeof turnSchema>;

/** `quantity` is in the product's unit: connections, billed minutes (decimal), units of a model, or 1 for an adjustment. */
export const costItemSchema = z.strictObject({
  product: z
    .enum(['connection', 'talk_time', 'transfer_connection', 'transfer_talk_time', ...COMPONENTS, 'adjustment'])
    .describe(
      'What is charged for. `realtime`, `stt`, `llm` and `tts` are what models used. `transfer_connection` and `transfer_talk_time` are of the second leg of a warm transfer.',
    ),
  unit_price: z.number().describe('Price of one connection, of one minute, or of a million units of a model.'),
  quantity: z.number().describe('Connections, billed minutes (decimal), units of a model, or 1 for an adjustment.'),
  cost: z.number().describe('Cost of this item, rounded up to a millionth.'),
  provider: z.enum(PROVIDERS).optional().describe('Of a model: who bills it.'),
  model: z.string().optional().describe('Of a model: its name in the agent’s settings.'),
  unit: z.enum(USAGE_UNITS).optional().describe('Of a model: what `quantity` counts.'),
});

export const costBreakdownSchema = z.strictObject({
  reserved: z
    .number()
    .describe('The amount reserved from the wallet, 0 for a scheduled call; the cost never exceeds it.'),
  items: z.array(costItemSchema).describe('Their costs sum to `total`.'),
  total: z.number().describe('The same as `cost`.'),
});

/** Of the turns of an agent that models conduct. From the last sound of the callee's speech to the first of the answer. */
const answerPartsSchema = z.strictObject({
  endpointing_ms: z
    .int()
    .nullable()
    .describe(
      'From the end of the callee’s words to the end of the turn, as speech to text reports it. Null: the answer follows a tool or silence.',
    ),
  llm_ttft_ms: z.int().describe('From there to the first token of the language model.'),
  tts_ttfb_ms: z.int().describe('From there to the first sound of the voice.'),
});

export const callLatencySchema = z.strictObject({
  p50_ms: z.int().describe('Half of the answers came within this time.'),
  p95_ms: z.int().describe('95 of 100 answers came within this time.'),
  turns: z
    .array(
      z.strictObject({
        start_ms: z.int().describe('When the agent’s turn began, in milliseconds from answer.'),
        answer_ms: z.int().nullable().describe('Time to the answer. Null: the turn answers nothing.'),
        barge_in_ms: z
          .int()
          .nullable()
          .describe('From the callee’s interruption to the agent’s silence. Null: the callee did not interrupt.'),
        parts: answerPartsSchema
          .nullable()
          .describe(
            'What the answer of a chain of models waited for, in this order. Null for others and for static texts.',
          ),
      }),
    )
    .describe('The agent’s turns, at most 500.'),
});

/** Texts come from the carrier, cut to 200 characters. */
export const callSipSchema = z.strictObject({
  code: z.int().describe('The final response that rejected the call.'),
  reason_phrase: z.string().nullable().describe('Its reason phrase.'),
  warning: z.string().nullable().describe('Its first Warning header field.'),
  q850_cause: z.int().nullable().describe('Its ITU-T Q.850 cause, from the Reason header field.'),
  q850_text: z.string().nullable().describe('The text of that cause.'),
});

export const TRANSFER_LEG_RESULTS = [
  'connected',
  'not_connected',
  'busy',
  'no_answer',
  'declined',
  'unreachable',
  'cancelled',
  'not_dialed',
  'lost',
] as const;
export type TransferLegResult = (typeof TRANSFER_LEG_RESULTS)[number];

export const transferLegSchema = z.strictObject({
  id: z.guid().describe('Identifies the leg.'),
  destination: z.string().describe('The name of the destination in the agent’s settings.'),
  callee_number: e164Schema.describe('The number that is called.'),
  started_at: timestamp.describe('When it began.'),
  answered_at: timestamp.nullable().describe('When the destination picked up. Null: not yet, or never.'),
  connected_at: timestamp.nullable().describe('Since when the callee and the destination heard each other.'),
  ended_at: timestamp.nullable().describe('Null while it is up.'),
  result: z
    .enum(TRANSFER_LEG_RESULTS)
    .nullable()
    .describe(
      'How it ended: null while it is up. `connected`: the callee talked to the destination. `not_connected`: the destination answered, and the leg ended before. `lost`: its worker was lost.',
    ),
  sip_code: z.int().nullable().describe('The carrier’s last final response on this leg.'),
  billable_seconds: z.int().min(0).describe('From its answer to its end, rounded up to the increment of its rate.'),
  cost: z.number().describe('A part of the call’s `cost`, by the rate of its destination. 0 until the call has ended.'),
});

export const callSchema = z.strictObject({
  id: z.guid().describe('Identifies the call.'),
  owner_id: z.guid().describe('The account that the call belongs to.'),
  agent_id: z.guid().describe('The agent that conducts it.'),
  agent_version: z
    .int()
    .min(1)
    .describe('The version of the agent that conducts it: the current one when the call was accepted.'),
  caller_number: e164Schema.describe('The number that the call comes from.'),
  callee_number: e164Schema.describe('The number that is called.'),
  direction: z.literal('outbound').describe('Always outbound.'),
  status: z
    .enum(CALL_STATUSES)
    .describe(
      'Only moves forward, in this order; any state may go straight to `ended`. Only a call that is not to be dialed at once begins as `scheduled`; it has no funds and no slot until it is `queued`.',
    ),
  started_at: timestamp.nullable().describe('When dialing began; for a call that was never dialed, when it ended.'),
  answered_at: timestamp.nullable().describe('When the callee picked up. Null: not yet, or never.'),
  ended_at: timestamp.nullable().describe('Null until it has ended.'),
  duration_seconds: z.int().min(0).nullable().describe('Whole seconds from start to end. Null until it has ended.'),
  billable_seconds: z.int().min(0).describe('From answer to end, rounded up to the increment of the rate.'),
  answered_by: z
    .enum(ANSWERED_BY)
    .nullable()
    .describe('Who or what picked up. Null: not known yet, or the call was not answered.'),
  transcript: z.array(turnSchema).nullable().describe('What was said, turn by turn. Null until the call has ended.'),
  summary: z.string().nullable().describe('The outcome of the call, in a sentence or two.'),
  analysis_status: z
    .enum(ANALYSIS_STATUSES)
    .describe(
      'How far the analysis of the ended call has got. `none`: its agent asks for none, or the callee said nothing.',
    ),
  analysis: callAnalysisSchema
    .nullable()
    .describe('What the analysis found. Null until it is completed, if it was skipped, and if no model answered.'),
  latency: callLatencySchema
    .nullable()
    .describe(
      'How fast the models of the ended call answered: times from the end of the callee’s speech to the first sound of the answer. Null until the call has ended, for a scripted agent, and without an answer.',
    ),
  review_note: z.string().nullable().describe('Your own note.'),
  recording_url: z
    .string()
    .describe('Path of the recording. Present from the start, readable once the recording is available.'),
  recording_status: z.enum(RECORDING_STATUSES).describe('Whether that path has a recording.'),
  cost: z.number().describe('In units of `currency`, at most six decimals. 0 until the call has ended.'),
  currency: z.string().describe('ISO 4217, of every amount of the call.'),
  cost_breakdown: costBreakdownSchema.describe('How the cost is composed.'),
  usage: z
    .array(usageItemSchema)
    .describe('What the models of the call used, updated during the call. Empty for a scripted agent.'),
  ended_reason: z
    .enum(endedReasons)
    .nullable()
    .describe('Why it ended: one of this closed list. Null until it has ended.'),
  failure: callFailureSchema
    .nullable()
    .describe('Why the agent failed, if the call ended `agent_error`; otherwise null.'),
  sip_code: z
    .int()
    .nullable()
    .describe('The carrier’s last final response. Null: there was none, or the call was never dialed.'),
  sip: callSipSchema.nullable().describe('The carrier’s details when it rejected the call; otherwise null.'),
  transfer_legs: z
    .array(transferLegSchema)
    .optional()
    .describe('The second legs of its warm transfers, in order. Absent without any.'),
  variables: z.record(z.string(), z.string()).describe('As given when it was created.'),
  metadata: z.record(z.string(), z.unknown()).describe('As given when it was created.'),
  limits: z
    .strictObject({
      max_duration_seconds: z.int().describe('Maximum talk time.'),
      ring_timeout_seconds: z.int().describe('Maximum ringing time.'),
    })
    .describe('The limits of this call.'),
  webhook_url: z.string().nullable().describe('Receives the webhooks of this call. As given when it was created.'),
  created_at: timestamp.describe('When it was accepted.'),
  scheduled_for: timestamp.nullable().describe('Not dialed before this time. Null: it was to be dialed at once.'),
  expires_at: timestamp
    .nullable()
    .describe(
      'When to give up: if it is not being dialed by then, it ends, and no retry begins later. Null for a call without a schedule and without retries.',
    ),
  waiting_for: z
    .enum(WAITING_FOR)
    .nullable()
    .describe(
      'What the scheduled call waits for: its time, a free slot, funds, the callee’s calling hours (`window`), or the end of a period in which the number was called as often as it may be (`cap`); of a campaign also: that it goes on, because it is paused or has used up its budget (`campaign`), its pace, or a free line of the model’s provider (`provider`). Null if nothing holds it up, and in any other status.',
    ),
  attempt: z.int().min(1).describe('1 for the call of the request, 2 for its first retry, and so on.'),
  retry_of: z.guid().nullable().describe('The call that this one retries. Null: it retries none.'),
  next_call_id: z
    .guid()
    .nullable()
    .describe('The call that retries this one. Null until this one has ended, and if none does.'),
  campaign_id: z.guid().nullable().describe('The campaign that it belongs to. Null for a single call.'),
});
export type CallBody = z.output<typeof callSchema>;

export const callEnvelopeSchema = z.strictObject({ call: callSchema });
