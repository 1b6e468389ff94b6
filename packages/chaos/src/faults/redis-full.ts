import { endCall, type Attempt } from '../load/client.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, first, until, untilStatus, PATIENCE_MS } from './observe.ts';

const LIVE_CALLS = 20;
const REFUSED_CALLS = 50;

/** Redis rejects writes while calls are live. */
export const redisFull: Fault = {
  name: 'redis-full',
  expectation: '503 without a partial reservation; live calls end normally',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 });
    const live = await clients.placeMany(account, LIVE_CALLS, call);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    await stack.redis.config('SET', 'maxmemory', '1');
    let attempts: readonly Attempt[];
    let held: number;
    try {
      attempts = await Promise.all(Array.from({ length: REFUSED_CALLS }, () => clients.place(account, call())));
      held = await stack.redis.hlen('{outdial}:holds');
      await Promise.all(live.slice(0, LIVE_CALLS / 2).map((callId) => endCall(first(stack.apis), account, callId)));
      await untilStatus(stack, account, 'ended', LIVE_CALLS / 2);
    } finally {
      await stack.redis.config('SET', 'maxmemory', '0');
    }
    const startedMs = performance.now();
    await clients.placeWithRetries(account, { toNumber: stack.number('impatient') });
    const recoveryMs = performance.now() - startedMs;
    for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
    await until('all have ended', PATIENCE_MS, async () => (await countIn(stack, account, 'in_progress')) === 0);
    return {
      injected: 1,
      hit: hit + attempts.length,
      recoveryMs,
      violations: [
        ...(held > LIVE_CALLS ? [`${held - LIVE_CALLS} holds of rejected calls`] : []),
        ...attempts.flatMap(({ answer }) =>
          answer.kind === 'refused' && answer.code === 'service_unavailable'
            ? []
            : [`answered ${JSON.stringify(answer)}`],
        ),
      ],
    };
  },
};
