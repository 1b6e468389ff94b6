import { z } from 'zod';
import { CALL_STATUSES } from './call.ts';

/** The event types of a call's timeline. A state change carries the new state's name. */
export const CALL_EVENT_TYPES = [
  ...CALL_STATUSES,
  'waiting',
  'answered_by',
  'end_requested',
  'hold_enlarged',
  'taken_over',
  'tool_called',
  'transfer',
  'provider_failed',
  'provider_recovered',
  'opted_out',
  'recording_available',
  'analyzed',
] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

export const callEventSchema = z.strictObject({
  id: z.string().describe('Increases within a call. A stream resumes after the event that `Last-Event-ID` names.'),
  at: z.iso.datetime({ precision: 3 }).describe('When it happened.'),
  type: z
    .enum(CALL_EVENT_TYPES)
    .describe(
      'What happened. State changes carry the new state’s name; `ended` is the last of them. Only `recording_available`, `analyzed` and `opted_out` may follow it. `waiting`: a scheduled call waits for something else (`data.for`). `opted_out`: the callee is on the account’s do-not-call list from now on (`data.evidence`: `key`, `tool` or `request`). `transfer`: the agent transfers the callee to a destination of its settings (`data.destination`); `data.state` is `started`, then `succeeded` or `failed`; `data.mode` is `warm` if we call the destination ourselves.',
    ),
  data: z.record(z.string(), z.unknown()).describe('Details of the event, such as `sip_code` or `ended_reason`.'),
});
export type CallEventBody = z.output<typeof callEventSchema>;

export const callEventListSchema = z.strictObject({
  events: z.array(callEventSchema).describe('In the order in which they happened.'),
});
