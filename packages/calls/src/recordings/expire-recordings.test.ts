import { callIdSchema, type CallId } from '@outdial/contracts';
import { beforeEach, expect, test } from 'vitest';
import { RecordingWorld } from '../../test/recording-world.ts';
import { expireRecordings } from './expire-recordings.ts';

const callIdOf = (number: number): CallId =>
  callIdSchema.parse(`0195a000-0000-7000-8000-${String(number).padStart(12, '0')}`);

let world: RecordingWorld;
beforeEach(() => {
  world = new RecordingWorld();
  for (let number = 0; number < 5; number += 1) world.stored.add(callIdOf(number));
});

function expire(stopping: AbortSignal = new AbortController().signal): Promise<number> {
  return expireRecordings({ inventory: world.inventory, recordedCalls: world, retentionDays: 30 }, stopping);
}

test('an expired recording is deleted after its call says none; the rest stays', async () => {
  for (const number of [1, 4]) world.old.add(callIdOf(number));
  expect(await expire()).toBe(2);
  const [one, four] = [callIdOf(1), callIdOf(4)];
  expect(world.log).toEqual([`expire ${one}`, `remove ${one}`, `expire ${four}`, `remove ${four}`]);
  expect([...world.stored]).toEqual([callIdOf(0), callIdOf(2), callIdOf(3)]);
});

test('a walk that broke off before the deletion is finished by the next one', async () => {
  world.old.add(callIdOf(1));
  world.failing = 'remove';
  await expect(expire()).rejects.toThrow('away');
  expect(world.stored.has(callIdOf(1))).toBe(true);
  world.failing = null;
  expect(await expire()).toBe(1);
  expect(world.stored.has(callIdOf(1))).toBe(false);
});

test('a stopping worker does not continue its walk', async () => {
  world.old.add(callIdOf(4));
  expect(await expire(AbortSignal.abort())).toBe(0);
  expect(world.log).toEqual([]);
});
