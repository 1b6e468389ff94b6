import { lineNameOf, type LineDirectory, type LineLimits } from '@outdial/calls';
import type { AccountId, CallId, Component, Provider, TryId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

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
 * The lines of the models that a call uses first. A fallback's line is taken when it is used. A group has the least of the
 * limits of its credentials, so that all of its calls see the same line.
 */
export function createLineDirectory({ side }: Pick<Database, 'side'>): LineDirectory {
  return {
    async linesOf(callId: CallId) {
      const rows = await side.$queryRaw<NeedRow[]>`
        ${LINE_COLUMNS} FROM model_calls m, jsonb_array_elements(m.needs) n
          JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
        WHERE m.call_id = ${callId}::uuid AND NOT (n->>'isFallback')::boolean`;
      return distinctLines(rows);
    },
  };
}

/** The lines that a conversation in text needs. */
export async function linesOfTry({ side }: Pick<Database, 'side'>, tryId: TryId): Promise<readonly LineLimits[]> {
  const rows = await side.$queryRaw<NeedRow[]>`
    ${LINE_COLUMNS} FROM agent_tries t, jsonb_array_elements(t.needs) n
      JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
    WHERE t.id = ${tryId}::uuid`;
  return distinctLines(rows);
}

/** Of a credential `p` that a need `n` names. */
const LINE_COLUMNS = Prisma.sql`
  SELECT n->>'component' AS component, n->>'provider' AS provider, p.id AS "credentialId",
    p.account_id AS "accountId", p.limits_group AS "group",
    (SELECT min(g.max_concurrent_calls) FROM provider_credentials g WHERE g.id = p.id
       OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "maxCalls",
    (SELECT min(g.starts_per_second) FROM provider_credentials g WHERE g.id = p.id
       OR (g.account_id IS NOT DISTINCT FROM p.account_id AND g.limits_group = p.limits_group)) AS "startsPerSecond"`;

function distinctLines(rows: readonly NeedRow[]): readonly LineLimits[] {
  return [...new Map(rows.map(lineOf).map((line) => [line.name, line])).values()];
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
