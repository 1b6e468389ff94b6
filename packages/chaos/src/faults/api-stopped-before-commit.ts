import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endCall } from '../load/client.ts';
import { catchOne } from './catch-one.ts';
import type { Fault } from './fault.ts';
import { callsOf, first, holdsOf } from './observe.ts';

const STOPPED_CALLS = 3;
const CAPACITY = 5;
const STOPPED_MS = 90_000;
const GATHER_MS = 100;
const BETWEEN_PLACES_MS = 500;

/**
 * A process sleeps through its own deadlines while others use the capacity that it gave up; then it continues
 * unaware.
 */
export const apiStoppedBeforeCommit: Fault = {
  name: 'api-stopped-before-commit',
  expectation: '503, or its call honoured once; capacity never exceeded',
  carrier: 'simulated',
  async run({ stack, clients }) {
    const account = await stack.account({ capacity: CAPACITY });
    const api = first(stack.apis);
    const other = stack.apis[1] ?? api;
    const call = { toNumber: stack.number('silent'), maxDurationSeconds: 300 };
    const { caught, asking } = await catchOne(
      (key) => api.databaseWire.trap({ text: key, at: 'request' }),
      (key) => {
        const others = Array.from({ length: STOPPED_CALLS - 1 }, () => randomUUID());
        return Promise.all([key, ...others].map((one) => clients.place(account, call, { key: one, api })));
      },
    );
    await sleep(GATHER_MS);
    api.pause();
    const hit = await holdsOf(stack, account);
    const endMs = performance.now() + STOPPED_MS;
    while (performance.now() < endMs) {
      await clients.place(account, call, { api: other });
      await sleep(BETWEEN_PLACES_MS);
    }
    const full = (await callsOf(stack, account)).length;
    api.resume();
    caught.release();
    const resumedMs = performance.now();
    const attempts = await asking;
    const recoveryMs = performance.now() - resumedMs;
    for (const { id, status } of await callsOf(stack, account)) {
      if (status !== 'ended') await endCall(other, account, id);
    }
    return {
      injected: 1,
      hit,
      recoveryMs,
      violations: [
        ...(full === CAPACITY ? [] : [`the others could place ${full} calls of ${CAPACITY}`]),
        ...attempts.flatMap(({ answer }) =>
          answer.kind === 'refused' && answer.code !== 'service_unavailable' && answer.code !== 'outcome_unknown'
            ? [`answered ${answer.code}`]
            : [],
        ),
      ],
    };
  },
};
