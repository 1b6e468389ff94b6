import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { FaultContext, Timing } from './fault.ts';
import { PATIENCE_MS, until } from './observe.ts';

export interface OutagePlan {
  /** As the log names it: `Redis`. */
  readonly store: 'Redis' | 'Postgres';
  readonly account: Account;
  readonly strike: () => Promise<unknown>;
  /** Counted from the moment at which every process reports not ready. */
  readonly forMs: number;
  /** Samples what must stay bounded. Called several times a second. */
  readonly look?: () => Promise<unknown>;
  readonly recover: () => Promise<unknown>;
  /** Until a new call is accepted and every process is ready; default: five seconds. */
  readonly recoversWithinMs?: number;
  /** The allowed errors of a create during the outage, beside `service_unavailable`. */
  readonly mayAnswer?: readonly string[];
}

export interface OutageFindings {
  readonly recoveryMs: number;
  readonly timings: readonly Timing[];
  readonly violations: readonly string[];
}

const LOOK_EVERY_MS = 250;
const NOT_READY_WITHIN_MS = 5_000;
const READY_AGAIN_WITHIN_MS = 5_000;
const ANSWERED_WITHIN_MS = 1_000;

/**
 * Takes a store down under the open connections of every process and restores it. Each process must notice within
 * seconds, stay not ready, reject creates in time, and recover without a restart; its log reports the outage once.
 */
export async function runOutage(context: FaultContext, plan: OutagePlan): Promise<OutageFindings> {
  const { stack, clients } = context;
  const services = [...stack.apis, ...stack.workers];
  const pids = services.map(({ pid }) => pid);
  const saidBefore = await outagesSaid(stack, plan.store);
  await plan.strike();
  const asking = placeDuring(context, plan);
  const noticedMs = await until('every process is not ready', PATIENCE_MS, async () => {
    return (await Promise.all(services.map(isReady))).every((ready) => !ready);
  });
  asking.judgeFromNowOn();
  const lies = await watchReadiness(services, plan);
  const asked = await asking.stop();
  const said = await outagesSaid(stack, plan.store);
  await plan.recover();
  const recoveredMs = performance.now();
  await clients.placeWithRetries(plan.account, { toNumber: stack.number('busy') });
  const recoveryMs = performance.now() - recoveredMs;
  await Promise.all(services.map((service) => service.untilReady()));
  const readyMs = performance.now() - recoveredMs;
  await until('each log reports the recovery', PATIENCE_MS, async () =>
    [...(await outagesSaid(stack, plan.store)).values()].every(({ away, back }) => away === back),
  );
  return {
    recoveryMs,
    timings: [
      { what: 'every process not ready', tookMs: noticedMs, promisedMs: NOT_READY_WITHIN_MS },
      { what: 'the slowest answer', tookMs: asked.slowestMs, promisedMs: ANSWERED_WITHIN_MS },
      {
        what: 'a new call accepted and every process ready',
        tookMs: readyMs,
        promisedMs: plan.recoversWithinMs ?? READY_AGAIN_WITHIN_MS,
      },
    ],
    violations: [
      ...lies,
      ...asked.violations,
      ...(services.some(({ pid }, index) => pid !== pids[index]) ? ['a process was restarted'] : []),
      ...reportedOnce(saidBefore, said),
    ],
  };
}

/** Keeps placing calls, one after the other. Some are accepted before the store is really down. */
function placeDuring({ stack, clients }: FaultContext, { account, mayAnswer = [] }: OutagePlan) {
  const violations = new Set<string>();
  const allowed = new Set(['service_unavailable', ...mayAnswer]);
  const stopping = new AbortController();
  let slowestMs = 0;
  let isJudged = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const counts = isJudged;
      const { answer, tookMs } = await clients.place(account, { toNumber: stack.number('busy') });
      slowestMs = Math.max(slowestMs, tookMs);
      const isAllowed = answer.kind === 'refused' && allowed.has(answer.code);
      if (counts && !isAllowed) violations.add(`answered ${JSON.stringify(answer)}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  const running = run();
  return {
    judgeFromNowOn: () => void (isJudged = true),
    async stop() {
      stopping.abort();
      await running;
      return { slowestMs, violations: [...violations] };
    },
  };
}

/** @returns the processes that reported ready during the outage. */
async function watchReadiness(services: readonly Service[], { forMs, look }: OutagePlan): Promise<readonly string[]> {
  const lies = new Set<string>();
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const ready = await Promise.all(services.map(async (service) => ((await isReady(service)) ? service.name : null)));
    for (const name of ready) if (name !== null) lies.add(`${name} reported ready during the outage`);
    await look?.();
    await sleep(LOOK_EVERY_MS);
  }
  return [...lies];
}

async function isReady({ url }: Service): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  await response.arrayBuffer();
  return response.status === 200;
}

interface Said {
  readonly away: number;
  readonly back: number;
}

export async function outagesSaid(stack: Stack, store: OutagePlan['store']): Promise<ReadonlyMap<string, Said>> {
  const services = [...stack.apis, ...stack.workers];
  const said = services.map(async ({ name }) => {
    const log = await readFile(join(stack.logDir, `${name}.log`), 'utf8');
    const count = (text: string) => log.split(text).length - 1;
    return [name, { away: count(`"${store} is away"`), back: count(`"${store} is back"`) }] as const;
  });
  return new Map(await Promise.all(said));
}

/** Once that the store is down, and not yet that it is back. */
function reportedOnce(before: ReadonlyMap<string, Said>, during: ReadonlyMap<string, Said>): readonly string[] {
  return [...during].flatMap(([name, said]) => {
    const first = before.get(name) ?? { away: 0, back: 0 };
    const [away, back] = [said.away - first.away, said.back - first.back];
    return away === 1 && back === 0 ? [] : [`the log of ${name} reported ${away} times away and ${back} times back`];
  });
}
