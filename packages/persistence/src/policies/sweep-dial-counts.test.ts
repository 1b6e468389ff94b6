import { e164Schema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dialed, dialsOf, savePolicy } from '../../test/policies.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createDialCountSweep } from './sweep-dial-counts.ts';

let world: World;
let parties: readonly Party[];
beforeAll(async () => {
  world = await createWorld();
  parties = await Promise.all([1, 2, 3].map(() => world.party()));
});
beforeEach(() => world.database.side.$executeRaw`DELETE FROM dial_counts`);
afterAll(() => world.close());

const DAY_SECONDS = 86_400;
const OVER = 30 * DAY_SECONDS + 60;
/** Until long after the test. */
const COUNTS = 29 * DAY_SECONDS;
const numberOf = (nth: number) => e164Schema.parse(`+1202555${1_000 + nth}`);

async function countRows(): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ rows: number }[]>`SELECT count(*)::int AS rows FROM dial_counts`;
  return row?.rows ?? 0;
}

/** Each account has as many rows, every second of them over. */
async function fill(rows: number): Promise<void> {
  for (const { accountId } of parties)
    for (let nth = 0; nth < rows; nth += 1)
      await dialed(
        world.database,
        { accountId, number: numberOf(nth) },
        nth % 2 === 0 ? [OVER, OVER + 5] : [OVER, COUNTS],
      );
}

test('rows whose last dial is thirty days old go, and no other', async () => {
  await fill(4);
  expect(await createDialCountSweep(world.database).step()).toBe(6);
  for (const { accountId } of parties) {
    const left = [];
    for (let nth = 0; nth < 4; nth += 1)
      left.push((await dialsOf(world.database, { accountId, number: numberOf(nth) })).length);
    expect(left).toEqual([0, 2, 0, 2]);
  }
});

test('a step looks at so many rows, goes on after them, and begins again after the last', async () => {
  await fill(10);
  const sweep = createDialCountSweep(world.database, { stepRows: 7 });
  const deleted = [];
  for (let step = 0; step < 5; step += 1) deleted.push(await sweep.step());
  expect([deleted.reduce((sum, each) => sum + each), await countRows()]).toEqual([15, 15]);
  expect(Math.max(...deleted)).toBeLessThanOrEqual(4);
  const [first] = parties;
  if (!first) throw new Error('there are accounts');
  await dialed(world.database, { accountId: first.accountId, number: numberOf(0) }, [OVER]);
  let found = 0;
  for (let step = 0; step < 4; step += 1) found += await sweep.step();
  expect(found).toBe(1);
});

test('a step over an empty table deletes nothing', async () => {
  const sweep = createDialCountSweep(world.database);
  expect([await sweep.step(), await sweep.step()]).toEqual([0, 0]);
});

test('a row that a dial has locked stays, and so does one that was dialed since', async () => {
  const [party] = parties;
  if (!party) throw new Error('there is an account');
  const { accountId } = party;
  await savePolicy(world.database, accountId, { caps: [{ hours: 720, max: 1 }] });
  for (const nth of [0, 1]) await dialed(world.database, { accountId, number: numberOf(nth) }, [OVER]);
  const sweep = createDialCountSweep(world.database);
  await world.database.side.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT grant_dial(${accountId}::uuid, ${numberOf(0)}, NULL, clock_timestamp())::text`;
    expect(await sweep.step()).toBe(1);
  });
  expect(await dialsOf(world.database, { accountId, number: numberOf(0) })).toHaveLength(1);
  expect(await sweep.step()).toBe(0);
});

test('no dial is forgotten while workers dial and others sweep', async () => {
  const [party] = parties;
  if (!party) throw new Error('there is an account');
  const { accountId } = party;
  await savePolicy(world.database, accountId, { caps: [{ hours: 720, max: 2 }] });
  const numbers = Array.from({ length: 40 }, (_, nth) => numberOf(nth));
  for (const number of numbers) await dialed(world.database, { accountId, number }, [OVER]);
  const dialing = new AbortController();
  const sweeping = [1, 2].map(async () => {
    const sweep = createDialCountSweep(world.database, { stepRows: 9 });
    while (!dialing.signal.aborted) await sweep.step();
  });
  const dial = async (number: string) => {
    const [row] = await world.database.hot.$queryRaw<{ granted: boolean }[]>`
      SELECT grant_dial(${accountId}::uuid, ${number}, NULL, clock_timestamp()) AS granted`;
    return row?.granted === true;
  };
  const granted = await Promise.all(
    numbers.map(async (number) => [await dial(number), await dial(number), await dial(number)].filter(Boolean).length),
  ).finally(() => dialing.abort());
  await Promise.all(sweeping);
  expect(granted).toEqual(numbers.map(() => 2));
});
