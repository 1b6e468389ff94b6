import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { FaultContext, FaultOutcome } from './fault.ts';
import { callsOf, countIn, first, PATIENCE_MS, until, untilStatus } from './observe.ts';
import { outagesSaid } from './outage.ts';
import { requeuedCalls } from './requeued-calls.ts';

export interface FailoverPlan {
  readonly account: Account;
  /** Begins the failover. */
  readonly strike: () => Promise<unknown>;
  /** Whether another server is the primary now. */
  readonly isOver: () => Promise<boolean>;
  /** The longest time without an accepted call. */
  readonly promisedMs: number;
  /** The most jobs that may be lost with the old primary; default: any number. */
  readonly mayRequeue?: number;
}

export interface FailoverFindings {
  /** The longest time between two accepted calls, from the strike until everything works again. */
  readonly gapMs: number;
  readonly violations: readonly string[];
}

const LIVE_CALLS = 20;
const PLACE_EVERY_MS = 25;
/** Calls that are accepted one after the other show that the failover has settled. */
const SETTLED_CALLS = 20;
/** What a create may be answered while no primary is known. */
const ALLOWED = new Set(['service_unavailable']);

/** Places live calls, lets `strikes` happen one after the other, and ends the calls. None of them may be lost. */
export async function runFailovers(
  context: FaultContext,
  strikes: (account: Account) => readonly FailoverPlan[],
): Promise<FaultOutcome> {
  const { stack, clients } = context;
  const account = await stack.account();
  await clients.placeMany(account, LIVE_CALLS, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 }));
  await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
  const hit = await countIn(stack, account, 'in_progress');
  const plans = strikes(account);
  const found: FailoverFindings[] = [];
  for (const plan of plans) found.push(await runFailover(context, plan));
  const stillLive = await countIn(stack, account, 'in_progress');
  for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
  return {
    injected: plans.length,
    hit,
    recoveryMs: Math.max(...found.map(({ gapMs }) => gapMs)),
    timings: found.map(({ gapMs }, index) => ({
      what: 'the longest time without an accepted call',
      tookMs: gapMs,
      promisedMs: plans[index]?.promisedMs ?? 0,
    })),
    violations: [
      ...found.flatMap(({ violations }) => violations),
      ...(stillLive < hit ? [`${hit - stillLive} live calls were lost`] : []),
    ],
  };
}

async function runFailover(context: FaultContext, plan: FailoverPlan): Promise<FailoverFindings> {
  const { stack } = context;
  const services = [...stack.apis, ...stack.workers];
  const pids = services.map(({ pid }) => pid);
  const before = await outagesSaid(stack, 'Redis');
  const requeuedBefore = await requeuedCalls(stack);
  const placing = placeAllTheTime(context, plan.account);
  await placing.untilAccepted(SETTLED_CALLS);
  placing.measureFromNowOn();
  await plan.strike();
  await until('another server is the primary', PATIENCE_MS, plan.isOver);
  await placing.untilAccepted(SETTLED_CALLS);
  await Promise.all(services.map((service) => service.untilReady()));
  await until('each log reports the recovery', PATIENCE_MS, async () =>
    [...(await outagesSaid(stack, 'Redis')).values()].every(({ away, back }) => away === back),
  );
  const { gapMs, violations } = await placing.stop();
  const after = await outagesSaid(stack, 'Redis');
  // On a busy machine a server that is back may miss its next deadline, once.
  const mostOutages = context.judgesTimes ? 1 : 2;
  const repeated = [...after].flatMap(([name, { away }]) => {
    const times = away - (before.get(name)?.away ?? 0);
    return times > mostOutages ? [`the log of ${name} reported ${times} outages of Redis`] : [];
  });
  const requeued = (await requeuedCalls(stack)) - requeuedBefore;
  context.say(`${Math.round(gapMs)} ms without an accepted call, ${requeued} jobs queued again`);
  return {
    gapMs,
    violations: [
      ...violations,
      ...repeated,
      ...(requeued > (plan.mayRequeue ?? Infinity) ? [`${requeued} jobs were lost and queued again`] : []),
      ...(services.some(({ pid }, index) => pid !== pids[index]) ? ['a process was restarted'] : []),
    ],
  };
}

/** Places calls one after the other, and measures the longest time without an accepted one. */
function placeAllTheTime({ stack, clients }: FaultContext, account: Account) {
  const stopping = new AbortController();
  const violations = new Set<string>();
  let accepted = 0;
  let acceptedAtMs = performance.now();
  let gapMs = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { answer } = await clients.place(account, { toNumber: stack.number('busy') });
      const nowMs = performance.now();
      if (answer.kind === 'accepted') {
        accepted += 1;
        gapMs = Math.max(gapMs, nowMs - acceptedAtMs);
        acceptedAtMs = nowMs;
      } else if (answer.kind !== 'refused' || !ALLOWED.has(answer.code)) {
        violations.add(`answered ${JSON.stringify(answer)}`);
      }
      await sleep(PLACE_EVERY_MS);
    }
  }

  const running = run();
  return {
    measureFromNowOn: () => void (gapMs = 0),
    async untilAccepted(count: number): Promise<void> {
      const wanted = accepted + count;
      await until(`${count} calls are accepted`, PATIENCE_MS, async () => accepted >= wanted);
    },
    async stop() {
      stopping.abort();
      await running;
      return { gapMs, violations: [...violations] };
    },
  };
}
