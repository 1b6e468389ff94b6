import { endCall } from '../load/client.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, first, isGateOpen, until, untilStatus, PATIENCE_MS } from './observe.ts';

const LIVE_CALLS = 200;

/** Gate, queue and dial marks are lost while many calls are live. */
export const redisFlushed: Fault = {
  name: 'redis-flushed',
  expectation: 'live calls finish; the gate is rebuilt within 5 s; no drift',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account({ capacity: LIVE_CALLS + 10 });
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 300 });
    const callIds = await clients.placeMany(account, LIVE_CALLS, call);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    await stack.redis.flushall();
    const recoveryMs = await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack));
    const stillLive = await countIn(stack, account, 'in_progress');
    // One more call than before: new calls must be dialed as well.
    await clients.placeMany(account, 1, () => ({ toNumber: stack.number('impatient') }));
    await Promise.all(callIds.map((callId) => endCall(first(stack.apis), account, callId)));
    await until('all have ended', PATIENCE_MS, async () =>
      (await callsOf(stack, account)).every(({ status }) => status === 'ended'),
    );
    const cut = (await callsOf(stack, account)).filter(
      ({ reason }) => reason !== 'hung_up_by_api' && reason !== 'callee_hangup',
    );
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'the gate open again', tookMs: recoveryMs, promisedMs: 5_000 }],
      violations: [
        ...(stillLive === hit ? [] : [`${hit - stillLive} live calls did not survive the flush`]),
        ...cut.map(({ id, reason }) => `a call ended as ${reason}: ${id}`),
      ],
    };
  },
};
