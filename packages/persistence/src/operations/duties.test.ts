import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { createDuties } from './duties.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const MINUTE_MS = 60_000;
const dutiesOf = (workerId: string) => createDuties(world.database, { workerId });

test('of workers that ask at once, one has a duty, and it keeps it', async () => {
  const workers = Array.from({ length: 8 }, (_, index) => dutiesOf(`worker-${index}`));
  const first = await Promise.all(workers.map((duties) => duties.take('compare_gate', MINUTE_MS)));
  expect(first.filter(Boolean)).toHaveLength(1);
  expect(await Promise.all(workers.map((duties) => duties.take('compare_gate', MINUTE_MS)))).toEqual(first);
  const holder = workers[first.indexOf(true)];
  await workers[first.indexOf(false)]?.leave('compare_gate');
  expect(await holder?.take('compare_gate', MINUTE_MS)).toBe(true);
});

test('a duty passes on when its worker leaves it, or does not come back in time; another duty is not affected', async () => {
  const [one, another] = [dutiesOf('one'), dutiesOf('another')];
  expect(await one.take('retention', MINUTE_MS)).toBe(true);
  await one.leave('retention');
  expect(await another.take('retention', MINUTE_MS)).toBe(true);
  await world.database.side.$executeRaw`
    UPDATE worker_duties SET held_until = clock_timestamp() WHERE duty = 'retention'`;
  expect(await one.take('retention', MINUTE_MS)).toBe(true);
  expect(await another.take('retention', MINUTE_MS)).toBe(false);
});
