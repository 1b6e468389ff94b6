import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, first, untilEnded, untilStatus } from './observe.ts';
import { MARKS } from './marks.ts';

const LIVE_CALLS = 20;
const AWAY_MS = 10_000;

/** Postgres is killed during calls; later its backends are terminated while they settle. */
export const postgresAway: Fault = {
  name: 'postgres-away',
  expectation: 'calls survive it; each is settled exactly once',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 });
    const callIds = await clients.placeMany(account, LIVE_CALLS, call);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    await stack.postgresServer.kill();
    await sleep(AWAY_MS);
    await stack.postgresServer.start();
    const startedMs = performance.now();
    await clients.placeWithRetries(account, { toNumber: stack.number('busy') });
    const recoveryMs = performance.now() - startedMs;
    const stillLive = await countIn(stack, account, 'in_progress');

    const traps = stack.workers.map(({ databaseWire }) => databaseWire.trap({ text: MARKS.settle, at: 'reply' }));
    const ending = callIds.map((callId) => endCall(first(stack.apis), account, callId));
    const caught = await Promise.race(traps.map((trap) => trap.caught));
    await stack.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    caught.cut();
    for (const trap of traps) {
      trap.disarm();
      void trap.caught.then((other) => other.cut());
    }
    await Promise.all(ending);
    for (const { id, status } of await callsOf(stack, account)) {
      if (status !== 'ended') await endCall(first(stack.apis), account, id);
    }
    await untilEnded(stack, callIds);
    const wrong = (await callsOf(stack, account)).filter(
      ({ id, reason }) => callIds.some((callId) => callId === id) && reason !== 'hung_up_by_api',
    );
    return {
      injected: 2,
      hit,
      recoveryMs,
      timings: [{ what: 'a new call accepted', tookMs: recoveryMs, promisedMs: 10_000 }],
      violations: [
        ...(stillLive < hit ? [`${hit - stillLive} live calls did not survive it`] : []),
        ...wrong.map(({ id, reason }) => `a call ended as ${reason}: ${id}`),
      ],
    };
  },
};
