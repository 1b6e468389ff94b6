import { randomUUID } from 'node:crypto';
import { idempotentCallId } from '@outdial/calls';
import { catchOne } from './catch-one.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, first, killService, until, PATIENCE_MS } from './observe.ts';
import { jobOf } from './marks.ts';

const CALLS = 10;

/** The calls are committed without a job in the queue: killed before the API learned of the commit, and after. */
export const apiKilledBeforeEnqueue: Fault = {
  name: 'api-killed-before-enqueue',
  expectation: 'dialed exactly once',
  carrier: 'simulated',
  async run(context) {
    const beforeReply = await killAt(context, 'commit');
    await context.stack.restore();
    const afterReply = await killAt(context, 'enqueue');
    const recoveryMs = Math.max(beforeReply.recoveryMs, afterReply.recoveryMs);
    return {
      injected: 2,
      hit: beforeReply.hit + afterReply.hit,
      recoveryMs,
      timings: [{ what: 'dialed calls that had no job', tookMs: recoveryMs, promisedMs: 30_000 }],
      violations: beforeReply.hit === 0 || afterReply.hit === 0 ? ['one of the two places was not hit'] : [],
    };
  },
};

async function killAt({ stack, clients }: FaultContext, place: 'commit' | 'enqueue') {
  const account = await stack.account();
  const api = first(stack.apis);
  const call = { toNumber: stack.number('impatient') };
  const others = Array.from({ length: CALLS - 1 }, () => randomUUID());
  const { caught, key, asking } = await catchOne(
    (key) =>
      place === 'commit'
        ? api.databaseWire.trap({ text: key, at: 'reply' })
        : api.redisWire.trap({ text: jobOf(idempotentCallId(account.id, key)), at: 'request' }),
    (key) => Promise.all([key, ...others].map((one) => clients.place(account, call, { key: one, api }))),
  );
  await killService(stack, api);
  caught.cut();
  await asking;
  const committed = (await callsOf(stack, account)).filter(({ status }) => status === 'queued').map(({ id }) => id);
  const startedMs = performance.now();
  // Committed calls are replayed. Calls that were only reserved get an error until their reservation is given up.
  await Promise.all(
    [key, ...others].map((one) => clients.place(account, call, { key: one, api: stack.apis[1] ?? api })),
  );
  await until('the committed calls are dialed', PATIENCE_MS, async () => {
    const calls = await callsOf(stack, account);
    return calls.every(({ id, status }) => status !== 'queued' || !committed.includes(id));
  });
  return { hit: committed.length, recoveryMs: performance.now() - startedMs };
}
