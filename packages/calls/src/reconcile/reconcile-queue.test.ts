import { expect, test } from 'vitest';
import { callIdOf, ReconcileWorld } from '../../test/reconcile-world.ts';
import { reconcileQueue, requeueAll } from './reconcile-queue.ts';

const AN_HOUR_MS = 3_600_000;

test('a queued call that lost its job gets one, and other calls are left alone', async () => {
  const world = new ReconcileWorld();
  const [lost, waiting, young] = [callIdOf(1), callIdOf(2), callIdOf(3)];
  world.queue.jobs.set(waiting, 'waiting');
  world.queued = [
    { callId: lost, expired: false, ageMs: AN_HOUR_MS },
    { callId: waiting, expired: false, ageMs: AN_HOUR_MS },
    // Its add is probably in flight.
    { callId: young, expired: false, ageMs: 1_000 },
  ];
  await reconcileQueue(world);
  expect(world.added).toEqual([lost]);
});

test('a call past its time in the queue ends queue_expired, is released, and is not queued again', async () => {
  const world = new ReconcileWorld();
  const callId = callIdOf(1);
  world.queued = [{ callId, expired: true, ageMs: AN_HOUR_MS }];
  await reconcileQueue(world);
  expect(world.endedQueued).toEqual([{ callIds: [callId], reason: 'queue_expired' }]);
  expect(world.released.map((release) => release.callId)).toEqual([callId]);
  expect(world.added).toEqual([]);
});

test('without queued calls the queue is not asked', async () => {
  const world = new ReconcileWorld();
  world.queue.setAway(true);
  await expect(reconcileQueue(world)).resolves.toBeUndefined();
});

test('after Redis has lost everything, even the youngest call is queued again', async () => {
  const world = new ReconcileWorld();
  world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
  await requeueAll(world);
  expect(world.added).toEqual([callIdOf(1)]);
});
