import { accountIdSchema, callIdSchema, type CallId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import type { RetentionSettings, RetentionStore } from '@outdial/persistence';
import { expect, test } from 'vitest';
import { runRetentionRound } from './retention-round.ts';

const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
const callIdOf = (tail: number): CallId =>
  callIdSchema.parse(`0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);

function openWorld(settings: RetentionSettings, calls: number) {
  const steps: string[] = [];
  const left = Array.from({ length: calls }, (_, index) => callIdOf(index));
  const store: RetentionStore = {
    settings: async () => settings,
    accountsWithOldCalls: async () => [accountId],
    async oldCalls({ limit }) {
      const due = left.slice(0, limit);
      return { due, recorded: due.slice(0, 1), next: left.length > limit ? { createdAtMs: 0, id: callIdOf(0) } : null };
    },
    async deleteCalls({ callIds, keyDays }) {
      steps.push(`calls ${keyDays}`);
      left.splice(0, callIds.length);
      return callIds.length;
    },
    async deleteEvents(days) {
      steps.push(`events ${days}`);
      return { deleted: 0, lastId: null };
    },
    async deleteAudit(days) {
      steps.push(`audit ${days}`);
      return { deleted: 0, lastId: null };
    },
    deleteKeys: async () => 0,
    completed: async () => void steps.push('completed'),
  };
  const inventory = { remove: async (ids: readonly CallId[]) => void steps.push(`files ${ids.length}`) };
  let turns = Number.POSITIVE_INFINITY;
  const counts: Record<string, number> = {};
  const run = (stopping = new AbortController().signal) =>
    runRetentionRound(
      {
        store,
        inventory,
        mayGoOn: async () => (turns -= 1) >= 0,
        deleted: (kind, count) => void (counts[kind] = (counts[kind] ?? 0) + count),
        clock: systemClock,
      },
      stopping,
    );
  return { steps, counts, left, run, loseDutyAfter: (batches: number) => void (turns = batches) };
}

test('without settings nothing of calls, timelines and audit is deleted', async () => {
  const world = openWorld({}, 5);
  expect(await world.run()).toBe(true);
  expect(world.steps).toEqual(['completed']);
  expect(world.left).toHaveLength(5);
});

test('the files of a batch go before its calls; keys outlive them by at least thirty days', async () => {
  const world = openWorld({ calls: 90, audit: 7 }, 50);
  expect(await world.run()).toBe(true);
  // Batches grow while they take little time.
  expect(world.steps).toEqual(['files 1', 'calls 30', 'files 1', 'calls 30', 'events 90', 'audit 7', 'completed']);
  expect(world.counts).toEqual({ calls: 50 });
});

test('a worker that loses its duty, or stops, ends its round after the batch', async () => {
  const lost = openWorld({ calls: 90 }, 5_000);
  lost.loseDutyAfter(2);
  expect(await lost.run()).toBe(false);
  expect(lost.steps).toEqual(['files 1', 'calls 30', 'files 1', 'calls 30']);
  const stopped = openWorld({ calls: 90 }, 5_000);
  expect(await stopped.run(AbortSignal.abort())).toBe(false);
  expect(stopped.steps).toEqual([]);
});
