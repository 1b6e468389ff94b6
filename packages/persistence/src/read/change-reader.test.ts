import { EventEmitter, once } from 'node:events';
import type { ChangeReader } from '@outdial/calls';
import { callIdSchema, type AccountId, type CallId } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import type { PrismaClient } from '../generated/client.ts';
import { changesStatement, createChangeReader } from './change-reader.ts';

let world: World;
let party: Party;
let reader: ChangeReader;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  party = await world.party();
  reader = createChangeReader(world.database, { clock: fakeClock() });
});
afterAll(() => world.close());

/** Waits until earlier writes are below the horizon: tests of other files share the server and its transactions. */
async function horizon(): Promise<bigint> {
  const { lastId } = await reader.read({ accountIds: [], afterId: null });
  for (;;) {
    const { commitHorizon } = await reader.read({ accountIds: [], afterId: null });
    if (commitHorizon !== null && commitHorizon >= lastId) return commitHorizon;
  }
}

const readAfter = async (afterId: bigint, accountIds: readonly AccountId[] = [party.accountId]) => {
  const reading = await reader.read({ accountIds, afterId });
  return { ...reading, changes: reading.changes ?? [] };
};

/** Adds an event to a call, in a transaction that ends when `until` does. */
async function addEvent(callId: CallId, until: Promise<unknown> = Promise.resolve(), onDrawn = () => {}) {
  // On its own connection: on the reader's pool it could use up the connections.
  await world.database.hot.$transaction(
    async (transaction) => {
      await insertEvent(transaction, callId);
      onDrawn();
      await until;
    },
    { timeout: 60_000, maxWait: 60_000 },
  );
}

async function insertEvent(transaction: Pick<PrismaClient, '$executeRaw'>, callId: CallId): Promise<void> {
  await transaction.$executeRaw`
    WITH locked AS (SELECT c.id FROM calls c WHERE c.id = ${callId}::uuid FOR NO KEY UPDATE)
    INSERT INTO call_events (call_id, at, type) SELECT l.id, now(), 'answered_by' FROM locked l`;
}

test('returns each changed call of the accounts once, in its current state, without large fields', async () => {
  const before = await horizon();
  const [live, ended, foreign] = [
    await world.claimed(party),
    await world.claimed(party),
    await world.claimed(await world.party()),
  ];
  const turn = { role: 'agent', text: 'Hi', start_ms: 0, end_ms: 9, source: 'script', interrupted: false } as const;
  await world.drives.settle(settlementOf(ended, { transcript: [turn], summary: 'It went well.' }));
  await world.drives.settle(settlementOf(foreign));
  const { changes, lastId } = await readAfter(before);
  const calls = new Map(changes.map(({ call }) => [call.id, call]));
  expect(changes).toHaveLength(2);
  const summaryOf = async (id: CallId) => ({
    ...(await world.reader.find(party.accountId, id)),
    variables: {},
    metadata: {},
  });
  expect(calls.get(live.id)).toEqual(await summaryOf(live.id));
  expect(calls.get(ended.id)).toEqual({
    ...(await summaryOf(ended.id)),
    transcript: null,
    summary: 'It went well.',
  });
  expect((await readAfter(lastId)).changes).toEqual([]);
  expect((await readAfter(before, [])).changes).toEqual([]);
});

test('an event that commits after later ids is found above the horizon', async () => {
  const [slow, quick] = [await world.claimed(party), await world.claimed(party)];
  const before = await horizon();
  const gate = new EventEmitter();
  const drawn = once(gate, 'drawn');
  const writing = addEvent(slow.id, once(gate, 'commit'), () => gate.emit('drawn'));
  await drawn;
  await addEvent(quick.id);
  const first = await readAfter(before);
  expect(first.changes.map(({ call }) => call.id)).toEqual([quick.id]);
  const second = await readAfter(before);
  expect(second.commitHorizon).toBe(before);
  gate.emit('commit');
  await writing;
  const third = await readAfter(second.commitHorizon ?? 0n);
  expect(third.changes.map(({ call }) => call.id).toSorted()).toEqual([slow.id, quick.id].toSorted());
  const [late] = third.changes.filter(({ call }) => call.id === slow.id);
  expect(late?.eventId).toBeLessThan(first.lastId);
});

test('a reader that continues from the horizon misses nothing, in any commit order', async () => {
  const calls = await Promise.all(Array.from({ length: 6 }, () => world.claimed(party)));
  let afterId = await horizon();
  const reported = new Map<CallId, bigint>();
  const state = { isWriting: true };
  const waiting = new Set<{ turns: number; readonly resolve: () => void }>();
  const waitFor = (turns: number) => new Promise<void>((resolve) => waiting.add({ turns, resolve }));
  const writing = Promise.all(
    calls.map(async ({ id }, index) => {
      for (let count = 0; count < 15; count += 1) {
        // Commits now, or after some reads.
        const turns = (index * 7 + count * 3) % 5;
        await addEvent(id, turns === 0 ? Promise.resolve() : waitFor(turns));
      }
    }),
  ).finally(() => (state.isWriting = false));
  const readOn = async () => {
    const { changes, commitHorizon } = await readAfter(afterId);
    for (const { call, eventId } of changes) reported.set(call.id, eventId);
    afterId = commitHorizon ?? afterId;
    for (const one of waiting) {
      one.turns -= 1;
      if (one.turns > 0) continue;
      waiting.delete(one);
      one.resolve();
    }
  };
  while (state.isWriting) await readOn();
  await writing;
  await readOn();
  for (const { id } of calls) {
    const events = (await world.reader.events(party.accountId, id)) ?? [];
    expect(reported.get(id)).toBe(BigInt(events.at(-1)?.id ?? ''));
  }
});

test('too many changes are not returned in part', async () => {
  const before = await horizon();
  await world.database.side.$executeRaw`
    WITH made AS (
      INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
        connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
        hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at)
      SELECT gen_random_uuid(), ${party.accountId}::uuid, ${party.agentId}::uuid, 1, '+12025550100', '+12025550143', 'USD',
        '1', 0, 12000, 60, 60, gen_random_uuid(), 12000, 1800, 30, 'many', now(), now()
      FROM generate_series(1, 2001) RETURNING id
    )
    INSERT INTO call_events (call_id, at, type) SELECT m.id, now(), 'queued' FROM made m`;
  expect((await reader.read({ accountIds: [party.accountId], afterId: before })).changes).toBeNull();
});

test('a read costs what has changed, for any number of events and calls', async () => {
  const callId = callIdSchema.parse((await world.queued(party)).id);
  await world.database.side.$executeRaw`
    INSERT INTO call_events (call_id, at, type) SELECT ${callId}::uuid, now(), 'answered_by' FROM generate_series(1, 20000)`;
  await world.database.side.$executeRaw`VACUUM ANALYZE call_events, calls`;
  const afterId = await horizon();
  await addEvent(callId);
  const { text, values } = changesStatement({ accountIds: [party.accountId], afterId });
  const rows = await world.database.side.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, ...values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Cond: (id >');
  expect(plan).not.toContain('Seq Scan');
});
