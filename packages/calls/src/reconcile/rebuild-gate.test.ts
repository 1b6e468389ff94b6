import { expect, test } from 'vitest';
import { callIdOf, ReconcileWorld } from '../../test/reconcile-world.ts';
import { snapshotOf, TOKEN, tokenOf } from '../testing/gate/gate-fixture.ts';
import { rebuildGate } from './rebuild-gate.ts';

/** A gate that is closed, after Postgres has issued its first generation. */
async function closedWorld(): Promise<ReconcileWorld> {
  const world = new ReconcileWorld();
  await world.redis.close(TOKEN);
  return world;
}

/** The right to rebuild was released: another process has it at once. */
async function expectReleased(world: ReconcileWorld): Promise<void> {
  expect(world.steps.at(-1)).toBe('abandon');
  world.redis.away = false;
  expect(await world.redis.beginRebuild()).toMatchObject({ kind: 'begun' });
}

test('takes the generation before it reads, and publishes what it read under it', async () => {
  const world = await closedWorld();
  expect(await rebuildGate(world)).toBe('rebuilt');
  expect(world.steps).toEqual(['begin', 'generation', 'snapshot', 'publish']);
  expect(world.publishes[0]?.token.generation).toBe(2);
  expect(await world.redis.state()).toMatchObject({ open: true, token: tokenOf(2) });
});

test('a rebuild that another process has begun takes no generation', async () => {
  const world = await closedWorld();
  await world.redis.beginRebuild();
  expect(await rebuildGate(world)).toBe('under_way');
  expect(world.steps).toEqual(['begin']);
});

test('an open gate is left alone, and takes no generation', async () => {
  const world = new ReconcileWorld();
  expect(await rebuildGate(world)).toBe('not_needed');
  expect(world.steps).toEqual(['begin']);
});

test.each([
  ['Postgres', []],
  ['Redis', ['publish']],
] as const)('releases its right and reports the error if %s goes away in between', async (name, further) => {
  const world = await closedWorld();
  world.goesAway = name;
  await expect(rebuildGate(world)).rejects.toThrow(`${name} is away`);
  expect(world.steps).toEqual(['begin', 'generation', 'snapshot', ...further, 'abandon']);
  if (name === 'Postgres') await expectReleased(world);
});

test('releases its right and queues nothing if it was superseded', async () => {
  const world = await closedWorld();
  world.redis.open(snapshotOf({ token: tokenOf(7) }));
  await world.redis.close(tokenOf(7));
  world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
  expect(await rebuildGate(world)).toBe('superseded');
  expect(world.added).toEqual([]);
  await expectReleased(world);
});

test('queues queued calls again, and an unavailable queue does not undo the rebuild', async () => {
  for (const queueAway of [false, true]) {
    const world = await closedWorld();
    world.queue.setAway(queueAway);
    world.queued = [{ callId: callIdOf(1), expired: false, ageMs: 0 }];
    expect(await rebuildGate(world)).toBe('rebuilt');
    expect(world.added).toEqual(queueAway ? [] : [callIdOf(1)]);
  }
});
