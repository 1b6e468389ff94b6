import { z } from 'zod';

/** What may stand in a call's timeline. State changes carry the new state's name. */
export const CALL_EVENT_TYPES = [
  'queued',
  'dialing',
  'ringing',
  'in_progress',
  'ended',
  'answered_by',
  'end_requested',
  'hold_enlarged',
  'taken_over',
] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

export const callEventSchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  type: z.enum(CALL_EVENT_TYPES),
  data: z.record(z.string(), z.unknown()),
});
export type CallEventBody = z.output<typeof callEventSchema>;

export const callEventListSchema = z.strictObject({ events: z.array(callEventSchema) });
