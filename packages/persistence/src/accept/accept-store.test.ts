import { RowRejected, type AcceptOutcome } from '@outdial/calls';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, cycle, newCallId, newReservationId, type World } from '../../test/world.ts';
import { createAcceptStore } from './accept-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const kindOf = (outcome: AcceptOutcome) => outcome.kind;

test('an accepted call is read back unchanged', async () => {
  const party = await world.party();
  const row = await world.row(party);
  const outcome = await world.accepts.accept(row);
  expect(outcome).toEqual({ kind: 'accepted', call: await world.reader.find(party.accountId, row.callId) });
  expect(outcome).toMatchObject({ call: { status: 'queued', variables: { name: 'Zoë' }, metadata: row.metadata } });
});

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

test('an existing id returns call_exists and leaves the existing call unchanged', async () => {
  const party = await world.party();
  const first = await world.row(party);
  const second = { ...(await world.row(party)), callId: first.callId, requestId: 'second' };
  await world.accepts.accept(first);
  expect(await world.accepts.accept(second)).toEqual({ kind: 'call_exists' });
  expect(await world.reader.find(party.accountId, first.callId)).toMatchObject({ reservationId: first.reservationId });
  expect(await world.accepts.voidReservation(second.reservationId)).toBe('voided');
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

describe('a decision of a stale gate is rejected', () => {
  test('an earlier generation', async () => {
    const row = await world.row(await world.party());
    await world.reconciles.nextGeneration();
    expect(await world.accepts.accept(row)).toEqual({ kind: 'gate_stale' });
  });

  test('the same generation of another WAL timeline', async () => {
    const row = await world.row(await world.party());
    const outcome = await world.accepts.accept({ ...row, token: { ...row.token, walTimeline: '0000FFFF' } });
    expect(outcome).toEqual({ kind: 'gate_stale' });
  });

  test('row by row: other rows of the batch are accepted', async () => {
    const party = await world.party();
    const stale = await world.row(party);
    await world.reconciles.nextGeneration();
    const current = await world.row(party);
    const outcomes = await Promise.all([stale, current].map((row) => world.accepts.accept(row)));
    expect(outcomes.map(kindOf)).toEqual(['gate_stale', 'accepted']);
  });
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

test('a row past its send deadline is never sent', async () => {
  const party = await world.party();
  const late = await world.row(party, { sendByMs: systemClock.monotonicMs() - 1 });
  const inTime = await world.row(party);
  const outcomes = await Promise.all([late, inTime].map((row) => world.accepts.accept(row)));
  expect(outcomes.map(kindOf)).toEqual(['expired', 'accepted']);
  expect(await world.reader.find(party.accountId, late.callId)).toBeNull();
});

describe('the first statement to insert the reservation decides', () => {
  test('void first: the accept is rejected', async () => {
    const row = await world.row(await world.party());
    expect(await world.accepts.voidReservation(row.reservationId)).toBe('voided');
    expect(await world.accepts.accept(row)).toEqual({ kind: 'voided' });
  });

  test('accept first: the void has no effect', async () => {
    const row = await world.row(await world.party());
    await world.accepts.accept(row);
    expect(await world.accepts.voidReservation(row.reservationId)).toBe('used');
  });

  test('a repeated void returns the same outcome', async () => {
    const reservationId = newReservationId();
    expect(await world.accepts.voidReservation(reservationId)).toBe('voided');
    expect(await world.accepts.voidReservation(reservationId)).toBe('voided');
  });

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
