import { setTimeout as sleep } from 'node:timers/promises';
import { neighborhoodOf } from '../check/neighbors.ts';
import { chargedUsage, since, usageViolations } from '../check/usage.ts';
import { conductedAgents } from '../load/conducted-agents.ts';
import type { Account } from '../stack/account.ts';
import { MODEL_LINES, type ModelProviders } from '../stack/models.ts';
import { callsOf, countIn, PATIENCE_MS, until, untilEnded } from './observe.ts';
import type { FaultContext, FaultOutcome } from './fault.ts';

/** Both families twice. */
const QUIET_CALLS = 4;
const NEIGHBORS_CALLS = 20;
const SPREAD_MS = 30_000;
const LONGEST_SECONDS = 90;
/** A busy machine connects them one after the other. */
const TALKING = 2;
/** The opening is said by then, and the conversation goes on for longer. */
const TALKING_MS = 5_000;

/** How a conducted call ends that its provider did not fail. */
const USUAL: ReadonlySet<string> = new Set([
  'agent_hangup',
  'callee_hangup',
  'silence_timeout',
  'max_duration_reached',
]);

export interface Struck {
  readonly injected: number;
  readonly hit: number;
  readonly violations?: readonly string[];
}

export interface ConductedLoad {
  readonly account: Account;
  readonly models: ModelProviders;
  /** Places calls of both families, in turn. */
  readonly place: (count: number) => Promise<readonly string[]>;
  /** Some of them talk. */
  readonly untilTalking: () => Promise<void>;
}

/**
 * Conducted calls of both families beside a neighbor's scripted ones: some undisturbed where times are judged, some while the
 * fault strikes, and at last as many as there are lines.
 */
export async function underConductedLoad(
  context: FaultContext,
  strike: (load: ConductedLoad) => Promise<Struck>,
): Promise<FaultOutcome> {
  const { stack, clients, judgesTimes } = context;
  const load = await openLoad(context);
  const { account, models, place } = load;
  const neighbor = await stack.account();
  const before = await models.billed();
  const compare = async (calls: number, isAllKnown: boolean) =>
    usageViolations(await chargedUsage(stack, account), since(before, await models.billed()), { calls, isAllKnown });

  const quiet: string[] = [];
  // `npm run verify` has this in its whole calls, at every test number.
  if (judgesTimes) {
    await untilEnded(stack, await place(QUIET_CALLS));
    quiet.push(...(await compare(QUIET_CALLS, true)), ...(await unusualOf(stack, account, USUAL)));
  }

  const neighbors = placeSlowly(NEIGHBORS_CALLS, SPREAD_MS, () =>
    clients.placeMany(neighbor, 1, () => ({ toNumber: stack.number('impatient') })),
  );
  const { injected, hit, violations = [] } = await strike(load);
  await untilEnded(stack, await neighbors);
  const failed = await unusualOf(stack, account, new Set([...USUAL, 'provider_unavailable']));

  const startedMs = performance.now();
  const last = await place(MODEL_LINES);
  await untilEnded(stack, last);
  const tookMs = performance.now() - startedMs;
  const recovered = await unusualOf(stack, account, USUAL, last);
  const charged = await compare((await callsOf(stack, account)).length, false);
  const harmed = await neighborhoodOf(stack, neighbor, 'callee_hangup');
  return {
    injected,
    hit,
    recoveryMs: null,
    timings: [{ what: 'calls on every line', tookMs, promisedMs: 2 * LONGEST_SECONDS * 1_000 }],
    violations: [...quiet, ...violations, ...failed, ...recovered, ...charged, ...harmed.violations],
  };
}

async function openLoad({ stack, clients }: FaultContext): Promise<ConductedLoad> {
  const { models } = stack;
  if (models === null) throw new Error('the stack has providers of models');
  const account = await stack.account({ agents: conductedAgents(models) });
  return {
    account,
    models,
    async place(count) {
      const agents = Array.from({ length: count }, (_, nth) => account.agentIds[nth % account.agentIds.length]);
      const placing = agents.map((agentId = account.agentId) =>
        clients.placeMany({ ...account, agentId }, 1, () => ({
          toNumber: stack.number('friendly'),
          maxDurationSeconds: LONGEST_SECONDS,
        })),
      );
      return (await Promise.all(placing)).flat();
    },
    async untilTalking() {
      await until('calls talk', PATIENCE_MS, async () => (await countIn(stack, account, 'in_progress')) >= TALKING);
      await sleep(TALKING_MS);
    },
  };
}

async function placeSlowly(
  count: number,
  withinMs: number,
  place: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const placed: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    placed.push(...(await place()));
    await sleep(withinMs / count);
  }
  return placed;
}

async function unusualOf(
  stack: FaultContext['stack'],
  account: Account,
  usual: ReadonlySet<string>,
  of?: readonly string[],
): Promise<readonly string[]> {
  const calls = (await callsOf(stack, account)).filter(({ id }) => of === undefined || of.includes(id));
  const unusual = calls.filter(({ reason }) => !usual.has(String(reason)));
  const causes = await causesOf(
    stack,
    unusual.map(({ id }) => id),
  );
  return unusual.map(
    ({ id, reason }) => `a conducted call ended ${String(reason)} (${causes.get(id) ?? 'no failure'}): ${id}`,
  );
}

/** What the timelines say about providers that failed. */
async function causesOf(
  { sql }: Pick<FaultContext['stack'], 'sql'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; causes: string }>(
    `SELECT call_id::text AS id, string_agg((data->>'component') || ' ' || (data->>'failure'), ', ' ORDER BY id) AS causes
     FROM call_events WHERE call_id = ANY($1::uuid[]) AND type::text = 'provider_failed' GROUP BY call_id`,
    [ids],
  );
  return new Map(rows.map(({ id, causes }) => [id, causes]));
}

/** Calls of the account with such an event in their timeline. */
export async function countWithEvent(
  { sql }: Pick<FaultContext['stack'], 'sql'>,
  account: Account,
  type: string,
): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(DISTINCT e.call_id)::int AS count FROM call_events e JOIN calls c ON c.id = e.call_id
     WHERE c.account_id = $1 AND e.type::text = $2`,
    [account.id, type],
  );
  return row?.count ?? 0;
}
