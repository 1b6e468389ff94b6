import { z } from 'zod';
import { callSchema, numberSchema, presentCall } from '../shapes/call.ts';
import { zoneSchema } from './calling-policy.ts';
import { findAgent } from './find-agent.ts';
import { retrySchema, timeSchema } from './schedule.ts';
import type { Tool } from './tool.ts';

const input = z.object({
  to_number: numberSchema,
  agent: z.string().min(1).describe('The agent that conducts the call: its id, or its name if only one has it.'),
  variables: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('Texts for the placeholders of the agent. list_agents shows the required ones.'),
  from_number: numberSchema.exactOptional().describe('One of your numbers. If omitted: the default one.'),
  scheduled_for: timeSchema
    .exactOptional()
    .describe(
      'Call then instead of at once, at most 90 days ahead: with the offset of the callee’s time zone, such as 2026-12-07T09:00:00+01:00.',
    ),
  expires_at: timeSchema
    .exactOptional()
    .describe(
      'Give up at this time, written as scheduled_for is. Only with scheduled_for, on_capacity `queue`, on_closed `wait` or retry.',
    ),
  on_capacity: z
    .enum(['reject', 'queue'])
    .exactOptional()
    .describe('While all slots are in use: `reject` the call, which is the default, or `queue` it until one is free.'),
  on_closed: z
    .enum(['reject', 'wait'])
    .exactOptional()
    .describe(
      'While the calling policy closes the hours of the callee: `reject` the call, or let it `wait` until they open. If omitted: `wait` with scheduled_for, else `reject`.',
    ),
  callee_time_zone: zoneSchema.exactOptional(),
  retry: retrySchema
    .exactOptional()
    .describe('Call again after some ends. Only if the user wants that: each retry rings.'),
  idempotency_key: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .describe(
      'Any words that name this call, in ASCII. Repeat them when you repeat the request: it then returns the same call and never places a second one.',
    ),
});

export const placeCall: Tool<typeof input, typeof callSchema> = {
  name: 'place_call',
  title: 'Place a call',
  description:
    'Calls a real telephone, which rings at once, or at scheduled_for, and costs money. Call it only for a number that the user wants to call. Then use wait_for_call, unless the call is scheduled for later.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input,
  output: callSchema,
  async run({ agent, idempotency_key, ...asked }, { outdial, signal }) {
    const body = { ...asked, agent_id: await findAgent(outdial, agent, signal) };
    return presentCall(await outdial.calls.create(body, { idempotencyKey: idempotency_key, signal }));
  },
};
