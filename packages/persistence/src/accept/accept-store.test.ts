import { RowRejected, type AcceptOutcome } from '@outdial/calls';
import { describeAcceptStore } from '@outdial/calls/testing';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reachCap } from '../../test/policies.ts';
import { suppress } from '../../test/suppress.ts';
import { createWorld, cycle, newCallId, type World } from '../../test/world.ts';
import { createAcceptStore } from './accept-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describeAcceptStore('in Postgres', async () => {
  const party = await world.party();
  return {
    store: world.accepts,
    row: (changes) => world.row(party, changes),
    scheduleRow: (changes) => world.scheduleRow(party, changes),
    find: ({ accountId, callId }) => world.reader.find(accountId, callId),
    suppress: ({ accountId, calleeNumber: number }) => suppress(world.database, { accountId, number }),
    reachCap: ({ accountId, calleeNumber: number }) => reachCap(world.database, { accountId, number }),
    nextGeneration: async () => void (await world.reconciles.nextGeneration()),
    close: async () => undefined,
  };
});

const kindOf = (outcome: AcceptOutcome) => outcome.kind;

test('a call expires after its time in the queue, counted by the clock that wrote its creation', async () => {
  const call = await world.queued(await world.party(), { queueTtlSeconds: 90 });
  expect(call.expiresAtMs - call.createdAtMs).toBe(90_000);
  expect(Math.abs(call.createdAtMs - systemClock.nowMs())).toBeLessThan(5_000);
});

test('requests of one tick share a statement and each get an outcome', async () => {
  const party = await world.party();
  const rows = await Promise.all(Array.from({ length: 60 }, () => world.row(party)));
  const outcomes = await Promise.all(rows.map((row) => world.accepts.accept(row)));
  expect(outcomes.map((outcome) => outcome.kind === 'accepted' && outcome.call.id)).toEqual(
    rows.map((row) => row.callId),
  );
});

test('parallel accepts with one id create exactly one call', async () => {
  const party = await world.party();
  const callId = newCallId();
  const rows = await Promise.all(Array.from({ length: 20 }, () => world.row(party, { callId })));
  const stores = [world.accepts, createAcceptStore(world.database, { clock: systemClock })];
  const outcomes = await Promise.all(rows.map((row, index) => cycle(stores, index).accept(row)));
  const accepted = outcomes.filter((outcome) => outcome.kind === 'accepted');
  expect(accepted).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === 'call_exists')).toHaveLength(19);
});

test('a decision of a stale gate is rejected row by row: other rows of the batch are accepted', async () => {
  const party = await world.party();
  const stale = await world.row(party);
  await world.reconciles.nextGeneration();
  const current = await world.row(party);
  const outcomes = await Promise.all([stale, current].map((row) => world.accepts.accept(row)));
  expect(outcomes.map(kindOf)).toEqual(['gate_stale', 'accepted']);
});

describe('a bad row fails only its own request', () => {
  test.each([
    ['a check of the schema', { callerNumber: 'nonsense' }],
    ['a reference to a missing row', { agentVersion: 99 }],
    ['text that Postgres cannot store', { requestId: 'nul \u0000' }],
  ])('%s', async (_, fault) => {
    const party = await world.party();
    const rows = await Promise.all(Array.from({ length: 9 }, () => world.row(party)));
    // The types exclude this; the database must exclude it too.
    rows[4] = Object.assign({}, rows[4], fault);
    const outcomes = await Promise.allSettled(rows.map((row) => world.accepts.accept(row)));
    expect(outcomes[4]).toMatchObject({ status: 'rejected', reason: expect.any(RowRejected) });
    const others = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.kind);
    expect(others).toEqual(Array.from({ length: 8 }, () => 'accepted'));
    expect(await world.reader.find(party.accountId, rows[4]?.callId ?? newCallId())).toBeNull();
  });
});

describe('the first statement to insert the reservation decides', () => {
  test('in a race, both sides report the same outcome', async () => {
    const party = await world.party();
    const rows = await Promise.all(Array.from({ length: 120 }, () => world.row(party)));
    const races = rows.map(async (row, index) => {
      const accept = () => world.accepts.accept(row);
      const giveUp = () => world.accepts.voidReservation(row.reservationId);
      const [accepted, voided] =
        index % 2 === 0
          ? await Promise.all([accept(), giveUp()])
          : await Promise.all([giveUp(), accept()]).then(([first, second]) => [second, first] as const);
      const stored = await world.reader.find(party.accountId, row.callId);
      return { accepted: accepted.kind, voided, stored: stored !== null };
    });
    const stories = await Promise.all(races);
    for (const story of stories) {
      expect([
        { accepted: 'accepted', voided: 'used', stored: true },
        { accepted: 'voided', voided: 'voided', stored: false },
      ]).toContainEqual(story);
    }
  });

  test('a void waits for an accept in flight', async () => {
    const row = await world.row(await world.party());
    const { side } = world.database;
    const outcome = await side.$transaction(async (transaction) => {
      await transaction.$executeRaw`
        INSERT INTO reservations (id, state) VALUES (${row.reservationId}::uuid, 'used')`;
      const waiting = world.accepts.voidReservation(row.reservationId);
      await expect
        .poll(async () => {
          const [state] = await side.$queryRaw<{ waiting: number }[]>`
            SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%void_reservation%'`;
          return state?.waiting;
        })
        .toBe(1);
      return { waiting };
    });
    expect(await outcome.waiting).toBe('used');
  });
});
