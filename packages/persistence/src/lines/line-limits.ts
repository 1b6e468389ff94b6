import type { LineLimits } from '@outdial/calls';
import type { Component, Provider } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';

/** What an owner set for a credential or its group; null: the default of the provider. */
export interface SetLimits {
  readonly provider: Provider;
  readonly maxCalls: number | null;
  readonly startsPerSecond: number | null;
}

/** Deepgram's plans allow 50 streams at once. */
const MAX_STREAMS = 50;
/** Of a team at xAI. */
const MAX_SESSIONS = 100;
/** A machine of one's own hears and speaks for a few calls at once; its operator knows for how many. */
const MAX_LOCAL_CALLS = 10;
const MAX_CALLS = 1_000;
const STARTS_PER_SECOND = 1_000;

/** Columns of a credential `p`: the least of the limits of its group, so that all calls of the group see the same line. */
export const SET_LIMITS = Prisma.sql`
  (SELECT min(g.max_concurrent_calls) FROM provider_credentials g WHERE g.id = p.id
     OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "maxCalls",
  (SELECT min(g.starts_per_second) FROM provider_credentials g WHERE g.id = p.id
     OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "startsPerSecond"`;

export function limitsOfLine(
  { provider, maxCalls, startsPerSecond }: SetLimits,
  component: Component,
): Pick<LineLimits, 'maxCalls' | 'startsPerSecond'> {
  return {
    maxCalls: maxCalls ?? mostCallsOf(component, provider),
    startsPerSecond: startsPerSecond ?? STARTS_PER_SECOND,
  };
}

function mostCallsOf(component: Component, provider: Provider): number {
  if (provider === 'xai') return MAX_SESSIONS;
  if (provider === 'local') return MAX_LOCAL_CALLS;
  return provider === 'deepgram' && component === 'stt' ? MAX_STREAMS : MAX_CALLS;
}
