import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Fault, FaultContext, FaultOutcome } from './fault.ts';
import { callsOf, first, openCallsOf, untilEnded, untilStatus } from './observe.ts';

const CALLS = 12;
const LEASE_MS = 60_000;
const BLOCKED_MS = 40_000;

/** A zombie: other workers have ended and settled its calls by the time it wakes, unaware. */
export const workerStopped: Fault = {
  name: 'worker-stopped',
  expectation: 'no second dial; calls settled once; the zombie leaves them alone',
  carrier: 'sip',
  run: (context) =>
    withLiveCalls(context, async (live) => {
      const worker = first(context.stack.workers);
      worker.pause();
      const recoveryMs = await Promise.race([untilEnded(context.stack, live), sleep(2 * LEASE_MS, 2 * LEASE_MS)]);
      await sleep(Math.max(0, 2 * LEASE_MS - recoveryMs));
      worker.resume();
      return {
        recoveryMs,
        timings: [{ what: 'its calls settled by others', tookMs: recoveryMs, promisedMs: LEASE_MS + 10_000 }],
      };
    }),
};

/** The process lives but does nothing: no lease renewal, no answer to its carrier, no sweep. */
export const workerBlocked: Fault = {
  name: 'worker-blocked',
  expectation: 'no second dial',
  carrier: 'sip',
  run: (context) =>
    withLiveCalls(context, async () => {
      const worker = first(context.stack.workers);
      worker.block(BLOCKED_MS);
      await sleep(BLOCKED_MS);
      const startedMs = performance.now();
      await worker.untilReady();
      return { recoveryMs: performance.now() - startedMs };
    }),
};

async function withLiveCalls(
  { stack, clients }: FaultContext,
  strike: (live: readonly string[]) => Promise<Pick<FaultOutcome, 'recoveryMs' | 'timings'>>,
): Promise<FaultOutcome> {
  const account = await stack.account();
  const newCall = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 300 });
  await clients.placeMany(account, CALLS, newCall);
  await untilStatus(stack, account, 'in_progress', CALLS);
  const live = (await openCallsOf(stack, account, first(stack.workers).pid)).map(({ id }) => id);
  const outcome = await strike(live);
  for (const { id, status } of await callsOf(stack, account)) {
    if (status !== 'ended') await endCall(first(stack.apis), account, id);
  }
  return { injected: 1, hit: live.length, ...outcome };
}
