import type { Fault } from './fault.ts';
import { untilEnded, untilStatus } from './observe.ts';
import { untilAllReceived } from './webhooks-arrive.ts';

const LIVE_CALLS = 10;
/** A round follows every second without hints. */
const RECEIVED_WITHIN_MS = 3_000;

/** Redis dies during calls, and is down until their ends have arrived. */
export const webhookRedisAway: Fault = {
  name: 'webhook-redis-away',
  expectation: 'webhooks go on without it',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account();
    const newCall = () => ({ toNumber: stack.number('impatient') });
    const callIds = await clients.placeMany(account, LIVE_CALLS, newCall);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    await stack.redisServer.kill();
    const struckAtMs = Date.now();
    await untilEnded(stack, callIds);
    const latestMs = await untilAllReceived(stack, account);
    const hit = stack.receivers.received(account.id).filter(({ atMs }) => atMs > struckAtMs).length;
    const startedMs = performance.now();
    await stack.redisServer.start();
    await Promise.all([...stack.apis, ...stack.workers].map((service) => service.untilReady()));
    return {
      injected: 1,
      hit,
      recoveryMs: performance.now() - startedMs,
      timings: [{ what: 'the latest webhook', tookMs: latestMs, promisedMs: RECEIVED_WITHIN_MS }],
    };
  },
};
