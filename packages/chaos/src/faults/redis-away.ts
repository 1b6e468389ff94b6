import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, countIn, first, untilStatus } from './observe.ts';

const LIVE_CALLS = 20;
const HUNG_MS = 20_000;
const AWAY_MS = 60_000;
const ASK_EVERY_MS = 500;
const ANSWERED_WITHIN_MS = 1_000;

/** Redis first hangs with every connection open; then it is down for a minute. Calls are live all the time. */
export const redisAway: Fault = {
  name: 'redis-away',
  expectation: 'the API answers 503 within a second; workers continue, and none is stuck afterwards',
  carrier: 'simulated',
  async run(context) {
    const { stack, clients } = context;
    const account = await stack.account();
    await clients.placeMany(account, LIVE_CALLS, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 }));
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    await stack.redisServer.pause();
    const hung = await askFor(context, account, HUNG_MS);
    await stack.redisServer.resume();
    const resumed = await untilDialled(context, account);
    await stack.redisServer.kill();
    const away = await askFor(context, account, AWAY_MS);
    await stack.redisServer.start();
    const returned = await untilDialled(context, account);
    const stillLive = await countIn(stack, account, 'in_progress');
    for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
    return {
      injected: 2,
      hit,
      recoveryMs: Math.max(resumed, returned),
      timings: [
        {
          what: 'the slowest answer',
          tookMs: Math.max(hung.slowestMs, away.slowestMs),
          promisedMs: ANSWERED_WITHIN_MS,
        },
        { what: 'a new call dialed again', tookMs: Math.max(resumed, returned), promisedMs: 15_000 },
      ],
      violations: [
        ...hung.violations,
        ...away.violations,
        ...(stillLive < hit ? [`${hit - stillLive} live calls were lost`] : []),
      ],
    };
  },
};

/** Keeps placing calls while Redis is down. */
async function askFor({ stack, clients }: FaultContext, account: Account, forMs: number) {
  const call = { toNumber: stack.number('impatient') };
  const violations = new Set<string>();
  let slowestMs = 0;
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const { answer, tookMs } = await clients.place(account, call);
    slowestMs = Math.max(slowestMs, tookMs);
    if (answer.kind !== 'refused' || answer.code !== 'service_unavailable')
      violations.add(`answered ${JSON.stringify(answer)}`);
    await sleep(ASK_EVERY_MS);
  }
  return { slowestMs, violations: [...violations] };
}

/** From Redis's recovery until a worker has dialed a new call. */
async function untilDialled({ stack, clients }: FaultContext, account: Account): Promise<number> {
  const startedMs = performance.now();
  const before = (await callsOf(stack, account)).filter(({ status }) => status === 'ended').length;
  await clients.placeMany(account, 6, () => ({ toNumber: stack.number('busy') }));
  await untilStatus(stack, account, 'ended', before + 6);
  return performance.now() - startedMs;
}
