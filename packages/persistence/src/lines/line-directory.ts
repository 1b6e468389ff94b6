import { lineNameOf, type LineDirectory, type LineLimits } from '@outdial/calls';
import type { AccountId, CallId, Component, Provider } from '@outdial/contracts';
import type { Database } from '../database.ts';

interface NeedRow {
  readonly component: Component;
  readonly provider: Provider;
  readonly credentialId: string;
  readonly accountId: AccountId | null;
  readonly group: string | null;
  readonly maxCalls: number | null;
  readonly startsPerSecond: number | null;
}

/** Deepgram's plans allow 50 streams at once. */
const MAX_STREAMS = 50;
const MAX_CALLS = 1_000;
const STARTS_PER_SECOND = 1_000;

/**
 * The lines of the models that a call uses first. A fallback's line is taken when it is used. A realtime model transcribes
 * over its own connection: that is no second line. A group has the least of the
 * limits of its credentials, so that all of its calls see the same line.
 */
export function createLineDirectory({ side }: Pick<Database, 'side'>): LineDirectory {
  return {
    async linesOf(callId: CallId) {
      const rows = await side.$queryRaw<NeedRow[]>`
        SELECT n->>'component' AS component, n->>'provider' AS provider, p.id AS "credentialId",
          p.account_id AS "accountId", p.limits_group AS "group",
          (SELECT min(g.max_concurrent_calls) FROM provider_credentials g WHERE g.id = p.id
             OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "maxCalls",
          (SELECT min(g.starts_per_second) FROM provider_credentials g WHERE g.id = p.id
             OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "startsPerSecond"
        FROM model_calls m, jsonb_array_elements(m.needs) n
          JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
        WHERE m.call_id = ${callId}::uuid AND NOT (n->>'isFallback')::boolean
          AND NOT (m.driver = 'realtime' AND n->>'component' = 'stt')`;
      return [...new Map(rows.map(lineOf).map((line) => [line.name, line])).values()];
    },
  };
}

function lineOf({ component, provider, maxCalls, startsPerSecond, ...owner }: NeedRow): LineLimits {
  const most = provider === 'deepgram' && component === 'stt' ? MAX_STREAMS : MAX_CALLS;
  return {
    name: lineNameOf(owner, component),
    maxCalls: maxCalls ?? most,
    startsPerSecond: startsPerSecond ?? STARTS_PER_SECOND,
    isShared: owner.accountId === null,
  };
}
