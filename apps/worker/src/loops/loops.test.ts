import type { Gate, ReconcileDeps } from '@outdial/calls';
import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { startLoops } from './loops.ts';

const unasked = () => Promise.reject(new Error('not used in this test'));
async function* nothing(): AsyncGenerator<never> {}

/** Stores without any inconsistency, except for an orphan whose far end does not answer. */
function stage() {
  const clock = fakeClock();
  const rounds = { orphans: 0, queue: 0, gate: 0, rebuild: 0 };
  const token = { generation: 1, walTimeline: '00000001' };
  const gate: Gate = {
    reserve: unasked,
    enlarge: unasked,
    release: unasked,
    loadAccount: unasked,
    refreshAccount: unasked,
    refreshSystem: async () => 'unchanged',
    close: unasked,
    async beginRebuild() {
      rounds.rebuild += 1;
      return { kind: 'not_needed' };
    },
    abandonRebuild: unasked,
    publish: unasked,
    async state() {
      rounds.gate += 1;
      return { open: true, token, slotsInUse: 0 };
    },
    accountUse: unasked,
    holdsOf: unasked,
    holds: nothing,
    accounts: nothing,
  };
  const deps: ReconcileDeps = {
    gate,
    store: {
      takeOver() {
        rounds.orphans += 1;
        return new Promise(() => undefined);
      },
      settle: unasked,
      endQueued: unasked,
    },
    acceptStore: { voidReservation: unasked },
    reconcileStore: {
      holdStatuses: unasked,
      limitsOf: unasked,
      systemLimits: async () => ({ capacity: 1, capacityVersion: 1 }),
      async queuedCalls() {
        rounds.queue += 1;
        return [];
      },
      currentToken: async () => token,
      nextGeneration: unasked,
      snapshot: unasked,
    },
    queue: { add: unasked, missing: unasked },
    carrier: { name: 'test', endOrphan: unasked },
    recordings: { keyOf: () => '', repair: unasked },
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    workerId: 'worker-1',
  };
  return { clock, rounds, deps };
}

test('a slow orphan does not delay the rounds of queue, gate and rebuild', async () => {
  const { clock, rounds, deps } = stage();
  startLoops({ ...deps, reconcileEveryMs: 5_000 });
  await clock.advance(30_000);
  expect(rounds.orphans).toBe(1);
  expect(rounds.queue).toBeGreaterThanOrEqual(5);
  expect(rounds.gate).toBeGreaterThanOrEqual(5);
  expect(rounds.rebuild).toBeGreaterThanOrEqual(25);
});
