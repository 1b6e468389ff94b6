import { startSteadyLoad } from '../load/steady-load.ts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { FaultContext } from './fault.ts';
import { countIn, PATIENCE_MS, until, untilStatus } from './observe.ts';

const LIVE_CALLS = 20;
const CALLS_PER_SECOND = 10;

export interface Promotion {
  /** Both servers know it: it is older than the promotion. */
  readonly account: Account;
  /** Live when the primary was killed. */
  readonly hit: number;
  /** From the promotion to the first accepted call. */
  readonly recoveryMs: number;
  readonly violations: readonly string[];
}

/** A stack is promoted once; each fault that needs it gets the same promotion. */
const promotions = new WeakMap<Stack, Promise<Promotion>>();

/** The primary is killed under load. Once every process has noticed, the synchronous standby becomes the primary. */
export function promoteStandby(context: FaultContext): Promise<Promotion> {
  const known = promotions.get(context.stack);
  if (known) return known;
  const promotion = promote(context);
  promotions.set(context.stack, promotion);
  return promotion;
}

async function promote({ stack, clients, random }: FaultContext): Promise<Promotion> {
  const { replicated, apis, workers } = stack;
  if (replicated === null) throw new Error('this fault needs a stack with a standby');
  const services = [...apis, ...workers];
  const pids = services.map(({ pid }) => pid);
  const account = await stack.account();
  await clients.placeMany(account, LIVE_CALLS, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 30 }));
  await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
  const hit = await countIn(stack, account, 'in_progress');
  const newCall = () => ({ toNumber: stack.number('busy') });
  const load = startSteadyLoad({ clients, account, callsPerSecond: CALLS_PER_SECOND, newCall, random });
  await replicated.killFirst();
  // The other server is a standby all this time, and says so: nothing may be accepted, and nothing may be left unknown to it.
  await until('every process is not ready', PATIENCE_MS, async () => {
    const statuses = await Promise.all(services.map(({ url }) => fetch(`${url}/readyz`).then(({ status }) => status)));
    return statuses.every((status) => status === 503);
  });
  await replicated.promote();
  const promotedMs = performance.now();
  await until('a call is accepted', PATIENCE_MS, async () => {
    return (await clients.place(account, newCall())).answer.kind === 'accepted';
  });
  const recoveryMs = performance.now() - promotedMs;
  await Promise.all(services.map((service) => service.untilReady()));
  await load.stop();
  const isRestarted = services.some(({ pid }, index) => pid !== pids[index]);
  return { account, hit, recoveryMs, violations: isRestarted ? ['a process was restarted'] : [] };
}
