import { z } from 'zod';
import { e164Schema } from './e164.ts';
import { endedReasons } from './ended-reasons.ts';

/** In the order a call passes them; it only moves forward, and any of them may go straight to `ended`. */
export const CALL_STATUSES = ['queued', 'dialing', 'ringing', 'in_progress', 'ended'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const ANSWERED_BY = ['human', 'voicemail', 'ivr', 'screening', 'unknown'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

export const RECORDING_STATUSES = ['pending', 'available', 'none'] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

const timestamp = z.iso.datetime({ precision: 3 });

/** Times are milliseconds from answer. An agent turn holds the words that were really played. */
export const turnSchema = z.strictObject({
  role: z.enum(['agent', 'callee']),
  text: z.string().nullable(),
  start_ms: z.int().min(0),
  end_ms: z.int().min(0),
  source: z.enum(['script', 'model', 'stt', 'dtmf', 'untranscribed']),
  interrupted: z.boolean(),
});
export type Turn = z.output<typeof turnSchema>;

/** `quantity` is in the product's unit: connections, billed minutes (decimal), or 1 for an adjustment. */
export const costItemSchema = z.strictObject({
  product: z.enum(['connection', 'talk_time', 'adjustment']),
  unit_price: z.number(),
  quantity: z.number(),
  cost: z.number(),
});

export const costBreakdownSchema = z.strictObject({
  reserved: z.number(),
  items: z.array(costItemSchema),
  total: z.number(),
});

export const callSchema = z.strictObject({
  id: z.guid(),
  owner_id: z.guid(),
  agent_id: z.guid(),
  caller_number: e164Schema,
  callee_number: e164Schema,
  direction: z.literal('outbound'),
  status: z.enum(CALL_STATUSES),
  started_at: timestamp.nullable(),
  answered_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  duration_seconds: z.int().min(0).nullable(),
  billable_seconds: z.int().min(0),
  answered_by: z.enum(ANSWERED_BY).nullable(),
  transcript: z.array(turnSchema).nullable(),
  summary: z.string().nullable(),
  review_note: z.string().nullable(),
  recording_url: z.string(),
  recording_status: z.enum(RECORDING_STATUSES),
  cost: z.number(),
  currency: z.string(),
  cost_breakdown: costBreakdownSchema,
  ended_reason: z.enum(endedReasons).nullable(),
  sip_code: z.int().nullable(),
  variables: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.unknown()),
  limits: z.strictObject({ max_duration_seconds: z.int(), ring_timeout_seconds: z.int() }),
  created_at: timestamp,
});
export type CallBody = z.output<typeof callSchema>;

export const callEnvelopeSchema = z.strictObject({ call: callSchema });
