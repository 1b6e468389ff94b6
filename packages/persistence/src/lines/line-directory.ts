import {
  breakerNames,
  breakersOf,
  lineNameOf,
  type LineDirectory,
  type LineLimits,
  type ModelAtCredential,
} from '@outdial/calls';
import type { AccountId, AgentId, CallId, Component, TryId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { limitsOfLine, SET_LIMITS, type SetLimits } from './line-limits.ts';

interface NeedRow extends SetLimits {
  readonly component: Component;
  readonly model: string;
  readonly credentialId: string;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly caller: AccountId;
  readonly accountId: AccountId | null;
  readonly group: string | null;
  readonly isRejected: boolean;
}

/**
 * The lines of the models that a call uses first. A fallback's line is taken when it is used. A realtime model transcribes
 * and delegates over its own connection: that is no second line. A group has the least of the
 * limits of its credentials, so that all of its calls see the same line.
 */
export function createLineDirectory({ side }: Pick<Database, 'side'>): LineDirectory {
  const needsOf = (callId: CallId, isWanted: Prisma.Sql) => side.$queryRaw<NeedRow[]>`
    ${LINE_COLUMNS}, c.account_id AS caller, c.agent_id AS "agentId", c.agent_version AS "agentVersion"
    FROM model_calls m JOIN calls c ON c.id = m.call_id, jsonb_array_elements(m.needs) n
      JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
    WHERE m.call_id = ${callId}::uuid AND ${isWanted}`;
  return {
    async linesOf(callId) {
      // What transcribes and what a realtime model delegates to is a part of its session, and has no line.
      const rows = await needsOf(
        callId,
        Prisma.sql`NOT (n->>'isFallback')::boolean AND NOT (m.driver = 'realtime' AND n->>'component' <> 'realtime')`,
      );
      return distinctLines(rows.map(lineOf));
    },
    async linesOfPlan({ accountId, agentId, agentVersion }, { driver, models }) {
      const rows = await side.$queryRaw<NeedRow[]>`
        ${LINE_COLUMNS}, ${accountId}::uuid AS caller, ${agentId}::uuid AS "agentId", ${agentVersion}::int AS "agentVersion"
        FROM jsonb_array_elements(${JSON.stringify(models)}::jsonb) n
          JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
        WHERE NOT (n->>'isFallback')::boolean AND NOT (${driver} = 'realtime' AND n->>'component' <> 'realtime')`;
      return distinctLines(rows.map(lineOf));
    },
    async lineOfModel(callId, model) {
      const [row] = await needsOf(callId, isModel(model));
      return row ? lineOf(row) : null;
    },
    async lineOfFallback(callId, model) {
      const [row] = await needsOf(callId, Prisma.sql`(n->>'isFallback')::boolean AND ${isModel(model)}`);
      return row ? lineOf(row) : null;
    },
  };
}

const isModel = ({ component, credentialId, model }: ModelAtCredential) =>
  Prisma.sql`n->>'component' = ${component} AND n->>'credentialId' = ${credentialId} AND n->>'model' = ${model}`;

/**
 * The lines that a try needs. Breakers do not hold it back, nor does a rejected key: its user learns why it fails. By microphone, a realtime agent has one session like a call's; in
 * text, what it delegates to is asked beside it.
 */
export async function linesOfTry({ side }: Pick<Database, 'side'>, tryId: TryId): Promise<readonly LineLimits[]> {
  const rows = await side.$queryRaw<NeedRow[]>`
    ${LINE_COLUMNS}, t.account_id AS caller, t.agent_id AS "agentId", t.agent_version AS "agentVersion"
    FROM agent_tries t, jsonb_array_elements(t.needs) n
      JOIN provider_credentials p ON p.id = (n->>'credentialId')::uuid
    WHERE t.id = ${tryId}::uuid
      AND NOT (t.medium = 'microphone' AND t.driver = 'realtime' AND n->>'component' <> 'realtime')`;
  return distinctLines(rows.map((row) => ({ ...lineOf(row), isClosed: false, breakers: [] })));
}

/** Of a credential `p` that a need `n` names. */
const LINE_COLUMNS = Prisma.sql`
  SELECT n->>'component' AS component, n->>'provider' AS provider, n->>'model' AS model, p.id AS "credentialId",
    p.account_id AS "accountId", p.limits_group AS "group", p.check_result IS NOT DISTINCT FROM 'rejected' AS "isRejected",
    ${SET_LIMITS}`;

/** One line for each name, with the breakers of all models that use it. */
function distinctLines(given: readonly LineLimits[]): readonly LineLimits[] {
  const lines = new Map<string, LineLimits>();
  for (const line of given) {
    const before = lines.get(line.name);
    const breakers = new Set([...(before?.breakers ?? []), ...line.breakers]);
    // A group of keys of which one is rejected: the call needs that one too.
    const isClosed = line.isClosed || before?.isClosed === true;
    lines.set(line.name, { ...line, isClosed, breakers: [...breakers] });
  }
  return [...lines.values()];
}

function lineOf(row: NeedRow): LineLimits {
  const { component, accountId, caller, isRejected, ...owner } = row;
  const isOwn = accountId !== null;
  return {
    name: lineNameOf({ ...owner, accountId }, component),
    ...limitsOfLine(row, component),
    isShared: !isOwn,
    isClosed: isRejected,
    breakers: breakerNames(breakersOf({ ...row, isOwn }, { ...row, accountId: caller })),
  };
}
