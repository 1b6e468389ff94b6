import { randomUUID } from 'node:crypto';
import type { CallEvent, ClaimedCall } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, newCallId, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createDatabase, createDriveStore, createTimelineReader, type Database } from '../index.ts';

let world: World;
let party: Party;
/** Another process of the service. */
let other: Database;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  other = createDatabase({ url: world.databaseUrl, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const readAfter = async (callId: CallId, afterId: string): Promise<readonly CallEvent[]> =>
  (await createTimelineReader(world.database).readAfter([{ callId, afterId }])).get(callId) ?? [];
const eventsOf = async (callId: CallId) => (await world.reader.events(party.accountId, callId)) ?? [];

test('many timelines are read in one query, each from its own position, omitting those without new events', async () => {
  const calls = [await world.claimed(party), await world.claimed(party), await world.claimed(party)];
  const [first = [], second = [], third = []] = await Promise.all(calls.map(({ id }) => eventsOf(id)));
  const read = await createTimelineReader(world.database).readAfter([
    { callId: calls[0]?.id ?? newCallId(), afterId: '0' },
    { callId: calls[1]?.id ?? newCallId(), afterId: second[0]?.id ?? '' },
    { callId: calls[2]?.id ?? newCallId(), afterId: third.at(-1)?.id ?? '' },
    { callId: newCallId(), afterId: '0' },
  ]);
  expect([...read]).toEqual([
    [calls[0]?.id, first],
    [calls[1]?.id, second.slice(1)],
  ]);
  expect(await createTimelineReader(world.database).readAfter([])).toEqual(new Map());
});

test('a position costs one index lookup, for any number of events', async () => {
  await world.database.side.$executeRaw`
    INSERT INTO call_events (call_id, at, type)
    SELECT ${(await world.queued(party)).id}::uuid, now(), 'answered_by' FROM generate_series(1, 20000)`;
  await world.database.side.$executeRaw`VACUUM ANALYZE call_events`;
  const rows = await world.database.side.$queryRaw<{ 'QUERY PLAN': string }[]>`
    EXPLAIN SELECT e.id FROM unnest(${[newCallId()]}::uuid[], ${['0']}::bigint[]) AS p(call_id, after_id), LATERAL (
      SELECT x.* FROM call_events x WHERE x.call_id = p.call_id AND x.id > p.after_id OFFSET 0) e ORDER BY e.id`;
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('call_events_call_id_id_idx');
  expect(plan).not.toContain('Seq Scan');
});

/** The writes that add to a timeline, with the call they change. */
const WRITES: Record<string, (call: ClaimedCall) => Promise<unknown>> = {
  advance: (call) => world.drives.advance({ callId: call.id, epoch: call.epoch, to: 'ringing', atMs: 0, sipCode: 180 }),
  saveAnsweredBy: (call) =>
    world.drives.saveAnsweredBy({ callId: call.id, epoch: call.epoch, answeredBy: 'human', atMs: 0 }),
  enlargeHold: async (call) => {
    const token = await world.reconciles.currentToken();
    // It waits half a second for the row and then gives up, which this test does not cover.
    const attempt = (): Promise<unknown> =>
      world.drives
        .enlargeHold({ callId: call.id, epoch: call.epoch, holdMicros: micros(90_000), token })
        .catch(attempt);
    return attempt();
  },
  requestEnd: (call) => world.ends.requestEnd({ accountId: party.accountId, callId: call.id }),
  settle: (call) => world.drives.settle(settlementOf(call)),
};

const WRITES_TO_QUEUED: Record<string, (callId: CallId) => Promise<unknown>> = {
  claim: (callId) => world.drives.claim({ callId, workerId: WORKER, leaseMs: 60_000, writeAheadDial: true }),
  requestEnd: (callId) => world.ends.requestEnd({ accountId: party.accountId, callId }),
  endQueued: (callId) => world.drives.endQueued({ callIds: [callId], reason: 'queue_expired' }),
};

/** Another write locks the call's row, and adds its event only once `write` waits for that lock. */
async function expectGreaterId(callId: CallId, write: () => Promise<unknown>): Promise<void> {
  const note = `note ${randomUUID()}`;
  let writing: Promise<unknown> = Promise.resolve();
  await other.hot.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`SELECT 1 FROM calls WHERE id = ${callId}::uuid FOR NO KEY UPDATE`;
      writing = write();
      await expect.poll(isSomebodyWaiting, { interval: 5 }).toBe(true);
      await transaction.$executeRaw`
        INSERT INTO call_events (call_id, at, type) VALUES (${callId}::uuid, now(), ${note})`;
    },
    { timeout: 60_000, maxWait: 60_000 },
  );
  await writing;
  const types: readonly string[] = (await eventsOf(callId)).map(({ type }) => type);
  expect(types.indexOf(note)).toBeGreaterThanOrEqual(0);
  expect(types.indexOf(note)).toBeLessThan(types.length - 1);
}

async function isSomebodyWaiting(): Promise<boolean> {
  const [row] = await world.database.side.$queryRaw<{ waiting: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`;
  return row?.waiting ?? false;
}

describe('an event that commits later has the greater id', () => {
  test.each(Object.entries(WRITES))('%s', async (_, write) => {
    const call = await world.claimed(party);
    await expectGreaterId(call.id, () => write(call));
  });

  test.each(Object.entries(WRITES_TO_QUEUED))('%s of a queued call', async (_, write) => {
    const { id } = await world.queued(party);
    await expectGreaterId(id, () => write(id));
  });
});

test('a reader that follows while many processes write sees every event exactly once', async () => {
  const call = await world.claimed(party);
  const fence = { callId: call.id, epoch: call.epoch };
  const stores = [world.drives, createDriveStore(other)];
  const token = await world.reconciles.currentToken();
  const seen: CallEvent[] = [];
  const writes = Promise.all(
    stores.flatMap((store, index) => [
      ...Array.from({ length: 40 }, (_, round) =>
        store.saveAnsweredBy({ ...fence, answeredBy: (round + index) % 2 ? 'human' : 'voicemail', atMs: 0 }),
      ),
      ...Array.from({ length: 10 }, (_, round) =>
        store.enlargeHold({ ...fence, holdMicros: micros(30_000 + 100 * (2 * round + index)), token }),
      ),
    ]),
  ).then(() => world.drives.settle(settlementOf(call)));
  while (seen.at(-1)?.type !== 'ended') seen.push(...(await readAfter(call.id, seen.at(-1)?.id ?? '0')));
  await writes;
  expect(seen.length).toBeGreaterThan(20);
  expect(seen).toEqual(await eventsOf(call.id));
});
