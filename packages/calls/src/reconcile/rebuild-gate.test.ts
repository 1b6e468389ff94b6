import { expect, test } from 'vitest';
import { callIdOf, ReconcileWorld } from '../../test/reconcile-world.ts';
import { rebuildGate } from './rebuild-gate.ts';

test('takes the generation before it reads, and publishes what it read under it', async () => {
  const world = new ReconcileWorld();
  expect(await rebuildGate(world)).toBe('rebuilt');
  expect(world.steps).toEqual(['begin', 'generation', 'snapshot', 'publish']);
  expect(world.publishes[0]?.token.generation).toBe(2);
});

test.each(['under_way', 'not_needed'] as const)('a rebuild that is %s takes no generation', async (rebuild) => {
  const world = new ReconcileWorld();
  world.rebuild = rebuild;
  expect(await rebuildGate(world)).toBe(rebuild);
  expect(world.steps).toEqual(['begin']);
});

test('one that was overtaken queues nothing', async () => {
  const world = new ReconcileWorld();
  world.publishAnswer = 'superseded';
  world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
  expect(await rebuildGate(world)).toBe('superseded');
  expect(world.added).toEqual([]);
});

test('queued calls are queued again, and a queue that is away does not undo the rebuild', async () => {
  for (const queueAway of [false, true]) {
    const world = new ReconcileWorld();
    world.queueAway = queueAway;
    world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
    expect(await rebuildGate(world)).toBe('rebuilt');
    expect(world.added).toEqual(queueAway ? [] : [callIdOf(1)]);
  }
});
