import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { catchOne } from './catch-one.ts';
import type { Fault } from './fault.ts';
import { callsOf, first, holdsOf, killService } from './observe.ts';

const CALLS = 5;
/** Lets the other requests reserve as well; well within the time that a request has for its commit. */
const GATHER_MS = 100;

/** The reservations exist, and no process knows of them. */
export const apiKilledAfterReserve: Fault = {
  name: 'api-killed-after-reserve',
  expectation: 'slot and hold are free within 60 s; the retry succeeds',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const api = first(stack.apis);
    const other = stack.apis[1] ?? api;
    const call = { toNumber: stack.number('impatient') };
    const { caught, asking } = await catchOne(
      (key) => api.databaseWire.trap({ text: key, at: 'request' }),
      async (key) => {
        // A new account for every attempt: the open calls of an earlier one would take the slots that must become
        // free.
        const account = await stack.account({ capacity: CALLS });
        const keys = [key, ...Array.from({ length: CALLS - 1 }, () => randomUUID())];
        await Promise.all(keys.map((one) => clients.place(account, call, { key: one, api })));
        return { account, keys };
      },
    );
    await sleep(GATHER_MS);
    await killService(stack, api);
    caught.cut();
    const { account, keys } = await asking;
    const hit = (await holdsOf(stack, account)) - (await callsOf(stack, account)).length;
    const startedMs = performance.now();
    const answers = await Promise.all(keys.map((key) => clients.placeWithRetries(account, call, { key, api: other })));
    const recoveryMs = performance.now() - startedMs;
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'free slots and accepted retries', tookMs: recoveryMs, promisedMs: 60_000 }],
      violations: answers
        .filter(({ kind }) => kind !== 'accepted')
        .map((answer) => `a retry was rejected: ${JSON.stringify(answer)}`),
    };
  },
};
