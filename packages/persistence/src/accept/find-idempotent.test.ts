import { type IdempotencyQuestion } from '@outdial/calls';
import { systemClock, DeadlineExceeded } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, newCallId, type Party, type World } from '../../test/world.ts';
import { createDatabase, type Database } from '../database.ts';
import { createFindIdempotent } from './find-idempotent.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const digestOf = (index: number) => index.toString(16).padStart(64, '0');

function keyedCalls(party: Party, count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({ key: `order-${index}`, bodyDigest: digestOf(index) }));
  return Promise.all(rows.map((idempotency) => world.queued(party, { idempotency })));
}

/** Lookups on this database, and the number of statements that they took. */
function countedLookup(database: Database) {
  let statements = 0;
  const hot = new Proxy(database.hot, {
    get(target, property) {
      if (property === '$queryRaw') statements += 1;
      return Reflect.get(target, property);
    },
  });
  const find = createFindIdempotent({ ...database, hot }, { clock: systemClock });
  const ask = (
    { accountId }: Pick<Party, 'accountId'>,
    callId = newCallId(),
    over: Partial<IdempotencyQuestion> = {},
  ) => find({ accountId, callId, sendByMs: Number.POSITIVE_INFINITY, ...over });
  return { ask, statements: () => statements };
}

test('concurrent lookups share a few statements, and each gets its account’s result', async () => {
  const [ours, theirs] = [await world.party(), await world.party()];
  const [ourCalls, theirCalls] = [await keyedCalls(ours, 60), await keyedCalls(theirs, 60)];
  const withoutKey = await world.queued(ours);
  const { ask, statements } = countedLookup(world.database);
  const [own, others, unknown] = await Promise.all([
    Promise.all([...ourCalls.map(({ id }) => ask(ours, id)), ...theirCalls.map(({ id }) => ask(theirs, id))]),
    Promise.all([...ourCalls.map(({ id }) => ask(theirs, id)), ...theirCalls.map(({ id }) => ask(ours, id))]),
    Promise.all([ask(ours, withoutKey.id), ...Array.from({ length: 59 }, () => ask(theirs))]),
  ]);
  expect(own).toEqual(
    [ourCalls, theirCalls].flatMap((calls) => calls.map((call, i) => ({ call, bodyDigest: digestOf(i) }))),
  );
  expect(new Set([...others, ...unknown])).toEqual(new Set([null]));
  // 300 keys; one statement carries 128.
  expect(statements()).toBe(3);
});

test('retries with one key share one read', async () => {
  const party = await world.party();
  const [call] = await keyedCalls(party, 1);
  const { ask, statements } = countedLookup(world.database);
  const found = await Promise.all(Array.from({ length: 100 }, () => ask(party, call?.id)));
  expect(found).toEqual(Array.from({ length: 100 }, () => ({ call, bodyDigest: digestOf(0) })));
  expect(statements()).toBe(1);
});

test('a lookup after an accept finds the call, even while an earlier read is in flight', async () => {
  const party = await world.party();
  const { ask } = countedLookup(world.database);
  for (let round = 0; round < 20; round += 1) {
    const earlier = ask(party);
    const call = await world.queued(party, { idempotency: { key: `order-${round}`, bodyDigest: digestOf(round) } });
    expect(await ask(party, call.id)).toMatchObject({ call: { id: call.id } });
    expect(await earlier).toBeNull();
  }
});

test('while Postgres hangs every lookup fails, late ones without a query; afterwards lookups work again', async () => {
  const patience = { queryTimeoutMs: 300, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: world.databaseUrl, poolSize: 2, readPoolSize: 1, ...patience });
  const party = await world.party();
  const [call] = await keyedCalls(party, 1);
  const { ask, statements } = countedLookup(database);
  await world.database.side.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE calls IN ACCESS EXCLUSIVE MODE`;
      const sendByMs = systemClock.monotonicMs() + 200;
      const asked = Array.from({ length: 1_000 }, () => ask(party, newCallId(), { sendByMs }));
      const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(1_000);
      expect(refused.at(-1)).toMatchObject({ reason: expect.any(DeadlineExceeded) });
      expect(statements()).toBeLessThanOrEqual(1);
    },
    { timeout: 60_000 },
  );
  expect(await ask(party, call?.id)).toMatchObject({ call: { id: call?.id } });
  await database.close();
});
