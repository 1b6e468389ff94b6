import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { catchOne } from './catch-one.ts';
import type { Fault } from './fault.ts';
import { callsOf, first, holdsOf, killService } from './observe.ts';

const CALLS = 5;
/** For the other requests to reserve as well; well within the time that a request has for its commit. */
const GATHER_MS = 100;

/** The reservations stand, and nobody is left who knows of them. */
export const apiKilledAfterReserve: Fault = {
  name: 'api-killed-after-reserve',
  expectation: 'slot and hold free within 60 s; the retry succeeds',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const api = first(stack.apis);
    const other = stack.apis[1] ?? api;
    const call = { toNumber: stack.number('impatient') };
    const { caught, asking } = await catchOne(
      (key) => api.databaseWire.trap({ text: key, at: 'request' }),
      async (key) => {
        // Of its own for every try: what an earlier one left open would take the slots that are to be shown free.
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
    const answers = await Promise.all(keys.map((key) => clients.placeInTheEnd(account, call, { key, api: other })));
    const recoveryMs = performance.now() - startedMs;
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'slots free and the retries accepted', tookMs: recoveryMs, promisedMs: 60_000 }],
      violations: answers
        .filter(({ kind }) => kind !== 'accepted')
        .map((answer) => `a retry was refused: ${JSON.stringify(answer)}`),
    };
  },
};
