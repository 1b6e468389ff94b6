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

test.each([
  ['Postgres', 'postgresAway', []],
  ['Redis', 'redisAway', ['publish']],
] as const)('releases its right and reports the error if %s goes away in between', async (name, away, further) => {
  const world = new ReconcileWorld();
  world[away] = true;
  await expect(rebuildGate(world)).rejects.toThrow(`${name} is away`);
  expect(world.steps).toEqual(['begin', 'generation', 'snapshot', ...further, 'abandon a']);
});

test('releases its right and queues nothing if it was superseded', async () => {
  const world = new ReconcileWorld();
  world.publishAnswer = 'superseded';
  world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
  expect(await rebuildGate(world)).toBe('superseded');
  expect(world.added).toEqual([]);
  expect(world.steps.at(-1)).toBe('abandon a');
});

test('queues queued calls again, and an unavailable queue does not undo the rebuild', async () => {
  for (const queueAway of [false, true]) {
    const world = new ReconcileWorld();
    world.queueAway = queueAway;
    world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
    expect(await rebuildGate(world)).toBe('rebuilt');
    expect(world.added).toEqual(queueAway ? [] : [callIdOf(1)]);
  }
});
