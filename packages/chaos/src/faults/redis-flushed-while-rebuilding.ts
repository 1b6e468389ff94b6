import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, first, isGateOpen, until, untilStatus, PATIENCE_MS } from './observe.ts';
import { MARKS } from './marks.ts';

const ROUNDS = 5;
const LIVE_CALLS = 40;
/** Clients that retry as fast as they are rejected: about a thousand requests a second, if the machine can. */
const CROWD = 32;

/** Every API and every worker rebuilds the gate; when one has taken a generation, everything is lost again. */
export const redisFlushedWhileRebuilding: Fault = {
  name: 'redis-flushed-while-rebuilding',
  expectation:
    'one valid generation; the gate opens within its time limit, however many creates are rejected during the rebuild',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account({ capacity: LIVE_CALLS });
    const call = { toNumber: stack.number('silent'), maxDurationSeconds: 600 };
    await clients.placeMany(account, LIVE_CALLS, () => call);
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const crowd = startCrowd(CROWD, () => clients.place(account, call));
    let hit = 0;
    let recoveryMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const traps = [...stack.apis, ...stack.workers].map(({ databaseWire }) =>
        databaseWire.trap({ text: MARKS.nextGeneration, at: 'reply' }),
      );
      await stack.redis.flushall();
      const caught = await Promise.race(traps.map((trap) => trap.caught));
      hit += await countIn(stack, account, 'in_progress');
      await stack.redis.flushall();
      for (const trap of traps) {
        trap.disarm();
        void trap.caught.then((other) => other.release());
      }
      caught.release();
      recoveryMs = Math.max(recoveryMs, await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack)));
    }
    const refused = await crowd.stop();
    for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
    return {
      injected: ROUNDS,
      hit,
      recoveryMs,
      timings: [{ what: 'the gate open again', tookMs: recoveryMs, promisedMs: 15_000 }],
      violations: refused === 0 ? ['no create was sent during the rebuild'] : [],
    };
  },
};

function startCrowd(size: number, ask: () => Promise<unknown>) {
  const stopping = new AbortController();
  let asked = 0;
  const running = Promise.all(
    Array.from({ length: size }, async () => {
      while (!stopping.signal.aborted) {
        await ask();
        asked += 1;
        await sleep(1);
      }
    }),
  );
  return {
    async stop(): Promise<number> {
      stopping.abort();
      await running;
      return asked;
    },
  };
}
