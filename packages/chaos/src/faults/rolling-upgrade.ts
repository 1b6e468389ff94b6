import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '@outdial/kernel';
import { startUpgradeLoad, type Asked } from '../load/upgrade-customers.ts';
import type { Service } from '../stack/service.ts';
import type { Fault, FaultContext, FaultOutcome } from './fault.ts';
import { LONG_READ_MS, migrateBesideReader, SHORT_READ_MS, type Migration } from './migrate-beside-reader.ts';
import { callsOf, untilEnded } from './observe.ts';

/** Before, between and after the steps: calls of every kind are under way. */
const LOAD_MS = 3_000;
/** A script waits two seconds for a lock; what it does with it is short. */
const CREATES_DELAYED_MS = 2_500;

/** What an upgrade must not cause: the reasons of the platform, and a call that came too late. */
const FAILED: ReadonlySet<string> = new Set([
  'worker_lost',
  'reconciled_unknown',
  'queue_expired',
  'schedule_expired',
  'agent_error',
  'not_permitted',
]);
/** While scripts hold locks, and on a busy machine, a store may be too late for a request. */
const REFUSED_FOR_NOW: ReadonlySet<string> = new Set([
  'service_unavailable',
  'outcome_unknown',
  'idempotency_in_progress',
]);

/** From the version of `deploy/rolling-from` to this one as the upgrading guide says, and back on the newer schema. */
export const rollingUpgrade = upgradeUnder(20);

export function upgradeUnder(callsPerSecond: number): Fault {
  return {
    name: 'rolling-upgrade',
    expectation: 'forwards and back under load, no call is lost or doubled, and no request fails',
    carrier: 'simulated',
    oneVersionBack: true,
    run: (context) => upgradeAndGoBack(context, callsPerSecond),
  };
}

async function upgradeAndGoBack(context: FaultContext, callsPerSecond: number): Promise<FaultOutcome> {
  const { stack, clients, random, judgesTimes, say } = context;
  const { previous, apis, workers } = stack;
  invariant(previous !== null, 'the stack began one version back');
  const account = await stack.account();
  const load = startUpgradeLoad({ stack, clients, account, callsPerSecond, random });
  try {
    await sleep(LOAD_MS);
    const migration = await migrateBesideReader(stack.postgresServer.url, judgesTimes ? LONG_READ_MS : SHORT_READ_MS);
    say(`${migration.applied} migrations; ${migration.hasWaited ? 'one waited' : 'none waited'} for the reader`);
    const counts = [];
    for (const root of [undefined, previous.root]) {
      for (const service of [...apis, ...workers]) counts.push(await replace(context, service, root));
      await sleep(LOAD_MS);
    }
    await load.stop();
    const ids = (await callsOf(stack, account)).map(({ id }) => id);
    await untilEnded(stack, ids);
    const ended = await callsOf(stack, account);
    const delayedMs = longestWithoutCall(load.asked, migration);
    return {
      injected: counts.length,
      hit: counts.reduce((sum, { live }) => sum + live, 0),
      recoveryMs: Math.max(...counts.map(({ tookMs }) => tookMs)),
      timings: [
        {
          what: 'the longest time without an accepted call while migrating',
          tookMs: delayedMs,
          promisedMs: CREATES_DELAYED_MS,
        },
      ],
      violations: [
        ...counts.flatMap(({ violations }) => violations),
        ...failedRequests(load.asked, migration, context),
        ...ended.flatMap(({ id, reason }) => (FAILED.has(reason ?? '') ? [`a call ended as ${reason}: ${id}`] : [])),
      ],
    };
  } finally {
    await load.stop();
  }
}

async function replace({ stack, say }: FaultContext, service: Service, root: string | undefined) {
  const live = await countLive(stack, service);
  const startedMs = performance.now();
  const code = await service.replace(root);
  const tookMs = performance.now() - startedMs;
  say(`${service.name} replaced by the ${root === undefined ? 'newer' : 'older'} version in ${Math.round(tookMs)} ms`);
  return { live, tookMs, violations: code === 0 ? [] : [`${service.name} ended with code ${String(code)}`] };
}

/** The live calls of a worker; none are of an API. */
async function countLive(stack: FaultContext['stack'], { pid }: Service): Promise<number> {
  const open = await stack.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM calls WHERE ended_at IS NULL AND split_part(worker_id, ':', 2) = $1`,
    [String(pid)],
  );
  return open[0]?.count ?? 0;
}

function longestWithoutCall(asked: readonly Asked[], { startedAtMs, endedAtMs }: Migration): number {
  const accepted = asked.filter(({ answer }) => answer.kind === 'accepted').map(({ answeredAtMs }) => answeredAtMs);
  // The one before and the one after count, too.
  const moments = accepted.filter((atMs, index) => {
    return (accepted[index + 1] ?? atMs) >= startedAtMs && (accepted[index - 1] ?? atMs) <= endedAtMs;
  });
  return Math.max(0, ...moments.map((atMs, index) => atMs - (moments[index - 1] ?? atMs)));
}

/** A request that was under way while scripts ran may be refused for now; every other one succeeds. */
function failedRequests(
  asked: readonly Asked[],
  { startedAtMs, endedAtMs }: Migration,
  { judgesTimes }: Pick<FaultContext, 'judgesTimes'>,
): readonly string[] {
  return asked.flatMap(({ answer, tookMs, answeredAtMs }) => {
    if (answer.kind === 'accepted') return [];
    const what = answer.kind === 'refused' ? answer.code : answer.kind;
    const whileMigrating = answeredAtMs >= startedAtMs && answeredAtMs - tookMs <= endedAtMs;
    if (REFUSED_FOR_NOW.has(what) && (whileMigrating || !judgesTimes)) return [];
    const atMs = Math.round(answeredAtMs - startedAtMs);
    return [`a request failed: ${what}, ${atMs} ms after the migrations began`];
  });
}
