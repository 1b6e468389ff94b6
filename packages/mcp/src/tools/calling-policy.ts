import { z } from 'zod';
import { numberSchema } from '../shapes/call.ts';
import { timeSchema } from './schedule.ts';
import { READS, type Tool } from './tool.ts';

const rules = z.object({
  windows: z
    .record(z.string(), z.record(z.string(), z.array(z.string())))
    .describe('Hours of each day by the callee’s local clock: `default` everywhere, the others in a region besides.'),
  closed_days: z.array(z.string()).describe('Dates on which no number is called.'),
  caps: z
    .array(z.object({ hours: z.number(), max: z.number() }))
    .describe('At most `max` calls to a number in `hours`.'),
  trust_given_zone: z.boolean().describe('callee_time_zone is taken instead of the zones of the number.'),
});
const policy = z.object({
  version: z.number().describe('0: the account never had a policy.'),
  ...rules.shape,
  floor: rules.nullable().describe('The operator’s rules, which hold besides.'),
});
const nothing = z.object({});

export const getCallingPolicy: Tool<typeof nothing, typeof policy> = {
  name: 'get_calling_policy',
  title: 'Show the calling policy',
  description: 'Returns when, and how often, the account calls. place_call refuses other calls.',
  hints: READS,
  input: nothing,
  output: policy,
  async run(_, { outdial, signal }) {
    const { calling_policy: own, floor } = await outdial.account.callingPolicy.get({ signal });
    return { version: own.version, ...rulesOf(own), floor: floor === null ? null : rulesOf(floor) };
  },
};

function rulesOf({ windows, closed_days, caps, trust_given_zone }: z.output<typeof rules>): z.output<typeof rules> {
  const weeks = Object.entries(windows).map(([key, week]) => [key, { ...week }]);
  return {
    windows: Object.fromEntries(weeks),
    closed_days,
    caps: caps.map(({ hours, max }) => ({ hours, max })),
    trust_given_zone,
  };
}

export const zoneSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('The callee’s time zone, if known, such as America/Denver.');

const question = z.object({
  number: numberSchema,
  at: timeSchema
    .exactOptional()
    .describe('With an offset from UTC, such as 2026-12-07T09:00:00+01:00. If omitted: now.'),
  callee_time_zone: zoneSchema.exactOptional(),
});
const answer = z.object({
  number: z.string(),
  verdict: z.string().describe('allowed, outside_calling_window or frequency_capped.'),
  zones: z
    .array(z.object({ zone: z.string(), local_time: z.string(), open: z.boolean() }))
    .describe('Where the callee may be. All must be open.'),
  opens_at: z.string().nullable().describe('When all are open next. Null: they are, or not within 90 days.'),
  closes_at: z.string().nullable().describe('When the first closes.'),
  capped_until: z.string().nullable().describe('When the number may be called again. Null: no cap is reached.'),
});

export const checkCallingPolicy: Tool<typeof question, typeof answer> = {
  name: 'check_calling_policy',
  title: 'Check a number against the calling policy',
  description:
    'Returns whether a number may be called now, or at a time, and if not, when. Do-not-call lists are asked by check_suppression.',
  hints: READS,
  input: question,
  output: answer,
  async run(asked, { outdial, signal }) {
    const { number, verdict, zones, opens_at, closes_at, capped_until } = await outdial.account.callingPolicy.check(
      asked,
      { signal },
    );
    const places = zones.map(({ zone, local_time, open }) => ({ zone, local_time, open }));
    return { number, verdict, zones: places, opens_at, closes_at, capped_until };
  },
};
