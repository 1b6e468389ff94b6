import type { TakenCall, Turn } from '@outdial/calls';
import { micros, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  // The calls of the test before would have their own turns.
  await world.database.side.$executeRaw`DELETE FROM call_schedules`;
  await world.database.side.$executeRaw`DELETE FROM dial_turns`;
  party = await world.party();
});
afterAll(() => world.close());

const schedule = (inMs = 0) => ({
  schedule: { scheduledForMs: Date.now() + inMs, giveUpAtMs: Date.now() + 3_600_000, retry: null },
});

async function beginTurn(): Promise<Turn> {
  const [turn] = await world.schedules.beginTurns({ workerId: 'w', limit: 10 });
  if (!turn) throw new Error('no turn is due');
  return turn;
}

const take = ({ accountId, epoch }: Turn, limit = 100) => world.schedules.takeDue({ accountId, epoch, limit });
const idsOf = (calls: readonly TakenCall[]) => calls.map(({ callId }) => callId);

async function admit({ callId, admitToken }: TakenCall) {
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  return world.schedules.admit({ callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place });
}

async function dueInMs(): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ ms: number }[]>`
    SELECT EXTRACT(epoch FROM due_at - clock_timestamp())::double precision * 1000 AS ms FROM dial_turns
    WHERE account_id = ${party.accountId}::uuid AND due_at < 'infinity'`;
  return row?.ms ?? Number.POSITIVE_INFINITY;
}

describe('a turn', () => {
  test('counts free slots without the calls that an earlier turn may still admit', async () => {
    await Promise.all([1, 2, 3].map(() => world.scheduled(party, schedule())));
    await world.queued(party);
    const first = await beginTurn();
    expect(first).toMatchObject({ freeSlots: 9, dueCalls: 3 });
    await take(first, 2);
    await world.schedules.endTurn({ ...first, notBeforeMs: 0 });
    await world.scheduled(party, schedule());
    const second = await beginTurn();
    expect(second).toMatchObject({ epoch: first.epoch + 1, freeSlots: 7, dueCalls: 2 });
  });

  test('is one worker’s: no worker begins another until it has ended', async () => {
    await world.scheduled(party, schedule());
    const turn = await beginTurn();
    expect(await world.schedules.beginTurns({ workerId: 'other', limit: 10 })).toEqual([]);
    await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
    expect(await world.schedules.beginTurns({ workerId: 'other', limit: 10 })).toHaveLength(1);
  });

  test('ends with the time of the next call, or later if it asks for that', async () => {
    await world.scheduled(party, schedule());
    await world.scheduled(party, schedule(60_000));
    const turn = await beginTurn();
    await Promise.all((await take(turn)).map(admit));
    await world.schedules.endTurn({ ...turn, notBeforeMs: 500 });
    expect(await dueInMs()).toBeGreaterThan(50_000);
    await world.scheduled(party, schedule());
    const next = await beginTurn();
    await world.schedules.endTurn({ ...next, notBeforeMs: 30_000 });
    expect(await dueInMs()).toBeGreaterThan(25_000);
  });

  test('does not miss what is scheduled while it lasts, even by a statement that commits after its end began', async () => {
    await world.scheduled(party, schedule(3_600_000));
    await world.database.side.$executeRaw`
      UPDATE dial_turns SET due_at = clock_timestamp() - interval '1 second' WHERE account_id = ${party.accountId}::uuid`;
    const turn = await beginTurn();
    const { side } = world.database;
    const ending = await side.$transaction(
      async (transaction) => {
        const row = await world.scheduleRow(party, schedule());
        await transaction.$queryRaw`
        SELECT call_id::text FROM schedule_calls(${JSON.stringify([storedRow(row)])}::json)`;
        const waiting = world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
        await expect.poll(() => waitingFor('end_lane_turn')).toBe(1);
        return { waiting };
      },
      { timeout: 60_000 },
    );
    await ending.waiting;
    expect(await dueInMs()).toBeLessThanOrEqual(0);
    expect(await world.schedules.mendTurns()).toBe(0);
  });

  test('that waits for funds is due again half a second after a top-up, also if it lasts until then', async () => {
    const { wallets } = createAdministration(world.database, { actor: 'test' });
    const topUp = (idempotencyKey: string) =>
      wallets.topUp({ accountId: party.accountId, amountMicros: micros(1), idempotencyKey });
    await world.scheduled(party, schedule());
    const turn = await beginTurn();
    await world.schedules.endTurn({ ...turn, notBeforeMs: 30_000 });
    await topUp('first');
    expect(await dueInMs()).toBeLessThanOrEqual(500);
    const next = await nextTurn();
    await topUp('second');
    await world.schedules.endTurn({ ...next, notBeforeMs: 30_000 });
    expect(await dueInMs()).toBeLessThanOrEqual(500);
  });

  test('that was overlooked is found, and begins', async () => {
    await world.scheduled(party, schedule());
    await world.database.side.$executeRaw`
      UPDATE dial_turns SET due_at = 'infinity' WHERE account_id = ${party.accountId}::uuid`;
    expect(await world.schedules.mendTurns()).toBe(1);
    expect(await take(await beginTurn())).toHaveLength(1);
  });

  test('of an account that is always scheduling calls is begun all the same: a worker waits for the row of a late one', async () => {
    await world.scheduled(party, schedule(-5_000));
    // It waits a tenth of a second: on a slow machine the row may be locked for longer.
    await expect.poll(() => beginWhileLocked()).toHaveLength(1);
  });
});

/** Begins turns while the account's row is locked, until the statement waits for it. */
async function beginWhileLocked(): Promise<readonly Turn[]> {
  const { side } = world.database;
  const held = await side.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`
      SELECT epoch FROM dial_turns WHERE account_id = ${party.accountId}::uuid FOR NO KEY UPDATE`;
      const begun = world.schedules.beginTurns({ workerId: 'w', limit: 10 });
      let isOver = false;
      void begun.finally(() => (isOver = true));
      await expect.poll(async () => isOver || (await waitingFor('begin_turns')) === 1).toBe(true);
      return { begun };
    },
    { timeout: 60_000 },
  );
  return held.begun;
}

describe('no turn is begun', () => {
  test('while dialing is paused: an admitted call would only wait in the queue', async () => {
    const { dialling } = createAdministration(world.database, { actor: 'test' });
    await world.scheduled(party, schedule());
    await dialling.set({ paused: true });
    try {
      expect(await world.schedules.beginTurns({ workerId: 'w', limit: 10 })).toEqual([]);
    } finally {
      await dialling.set({ paused: false });
    }
    expect(await take(await beginTurn())).toHaveLength(1);
  });

  test('for calls whose time is over: once, and then no more', async () => {
    await world.scheduled(party, schedule());
    await world.database.side.$executeRaw`
      UPDATE call_schedules SET give_up_at = clock_timestamp() - interval '1 second'
      WHERE account_id = ${party.accountId}::uuid`;
    const turn = await beginTurn();
    expect(turn.dueCalls).toBe(0);
    await world.schedules.endTurn({ ...turn, notBeforeMs: 0 });
    expect(await dueInMs()).toBe(Number.POSITIVE_INFINITY);
  });
});

test('an account whose turn is locked fails no other account’s requests', async () => {
  const other = await world.party();
  await world.scheduled(other, schedule());
  const { side } = world.database;
  const rows = await Promise.all([other, party, party].map((of) => world.scheduleRow(of, schedule())));
  const outcomes = await side.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`
        SELECT epoch FROM dial_turns WHERE account_id = ${other.accountId}::uuid FOR NO KEY UPDATE`;
      return Promise.allSettled(rows.map((row) => world.accepts.schedule(row)));
    },
    { timeout: 60_000 },
  );
  expect(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.kind)).toEqual([
    false,
    'scheduled',
    'scheduled',
  ]);
});

describe('a taken call', () => {
  test('is admitted under its token only, and only once', async () => {
    await world.scheduled(party, schedule());
    const turn = await beginTurn();
    const [taken] = await take(turn);
    if (!taken) throw new Error('nothing was taken');
    expect(await admit({ ...taken, admitToken: taken.callId })).toEqual({ kind: 'gone' });
    expect((await admit(taken)).kind).toBe('admitted');
    expect(await admit(taken)).toEqual({ kind: 'gone' });
  });

  test('is not admitted after its time, and taken again two seconds later', async () => {
    await world.scheduled(party, schedule());
    const [taken] = await take(await beginTurn());
    if (!taken) throw new Error('nothing was taken');
    await passTimeOf(taken.callId, '1 second');
    expect(await admit(taken)).toEqual({ kind: 'gone' });
    expect(idsOf(await take(await nextTurn()))).toEqual([]);
    await passTimeOf(taken.callId, '3 seconds');
    expect(idsOf(await take(await nextTurn()))).toEqual([taken.callId]);
  });

  test('that waits for a lock is judged by the time at which it has the lock', async () => {
    await world.scheduled(party, schedule());
    const [taken] = await take(await beginTurn());
    if (!taken) throw new Error('nothing was taken');
    // It waits for half a second: on a slow machine the row may be locked for longer.
    await expect.poll(() => admitWhileLocked(taken)).toEqual({ kind: 'gone' });
  });

  test('is shown to wait for the same as the call of its account that was due first', async () => {
    const first = await world.scheduled(party, schedule(-2_000));
    const second = await world.scheduled(party, schedule(-1_000));
    const future = await world.scheduled(party, schedule(60_000));
    await world.schedules.putBack({ calls: await take(await beginTurn(), 1), waitingFor: 'capacity' });
    const waits = [first, second, future].map(({ id }) => world.reader.find(party.accountId, id));
    expect(await Promise.all(waits)).toMatchObject([
      { waitingFor: 'capacity' },
      { waitingFor: 'capacity' },
      { waitingFor: 'time' },
    ]);
  });

  test('that waits for a slot from the start says so in its timeline', async () => {
    const { id } = await world.scheduled(party, { ...schedule(), waitingFor: 'capacity' });
    expect(await world.reader.events(party.accountId, id)).toMatchObject([
      { type: 'scheduled' },
      { type: 'waiting', data: { for: 'capacity' } },
    ]);
  });

  test('says once in its timeline what it waits for', async () => {
    const { id } = await world.scheduled(party, schedule());
    for (const waitingFor of ['capacity', 'capacity', 'funds'] as const) {
      const calls = await take(await nextTurn());
      await world.schedules.putBack({ calls, waitingFor });
    }
    const events = (await world.reader.events(party.accountId, id)) ?? [];
    expect(events.map(({ type, data }) => [type, data['for']])).toEqual([
      ['scheduled', undefined],
      ['waiting', 'capacity'],
      ['waiting', 'funds'],
    ]);
    expect(await world.reader.find(party.accountId, id)).toMatchObject({ waitingFor: 'funds' });
  });
});

test('a scheduled call whose time is over ends, unless it is being admitted at this moment', async () => {
  const calls = await Promise.all([1, 2].map(() => world.scheduled(party, schedule())));
  const { side } = world.database;
  await side.$executeRaw`
    UPDATE call_schedules SET give_up_at = clock_timestamp() WHERE account_id = ${party.accountId}::uuid`;
  const [first, second] = calls;
  await side.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM calls WHERE id = ${first?.id}::uuid FOR NO KEY UPDATE`;
      expect(await world.schedules.endExpired({ limit: 500 })).toBe(1);
    },
    { timeout: 60_000 },
  );
  const found = second && (await world.reader.find(party.accountId, second.id));
  expect(found).toMatchObject({ status: 'ended', endedReason: 'schedule_expired' });
  expect(await world.schedules.endExpired({ limit: 500 })).toBe(1);
});

/** Admits a call whose time passes while its row is locked. Null: the row was locked for too long. */
async function admitWhileLocked(taken: TakenCall) {
  const { side } = world.database;
  const late = await side.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM calls WHERE id = ${taken.callId}::uuid FOR NO KEY UPDATE`;
      await transaction.$executeRaw`
      UPDATE call_schedules SET admitting_until = clock_timestamp() WHERE call_id = ${taken.callId}::uuid`;
      const admitting = admit(taken).catch(() => null);
      let isOver = false;
      void admitting.finally(() => (isOver = true));
      await expect.poll(async () => isOver || (await waitingFor('admit_calls')) === 1).toBe(true);
      return { admitting };
    },
    { timeout: 60_000 },
  );
  return late.admitting;
}

/** How many statements with this text wait for a lock. */
async function waitingFor(text: 'admit_calls' | 'begin_turns' | 'end_lane_turn'): Promise<number | undefined> {
  const [state] = await world.database.side.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${text}%`}`;
  return state?.waiting;
}

/** Nothing in Postgres is due by its own clock: the rows are moved instead. */
async function passTimeOf(callId: CallId, time: '1 second' | '3 seconds'): Promise<void> {
  await world.database.side.$executeRaw`
    UPDATE call_schedules SET admitting_until = clock_timestamp() - ${time}::interval WHERE call_id = ${callId}::uuid`;
}

async function nextTurn(): Promise<Turn> {
  await world.database.side.$executeRaw`
    UPDATE dial_turns SET due_at = clock_timestamp() - interval '1 second', held_until = clock_timestamp() - interval '1 second'
    WHERE account_id = ${party.accountId}::uuid`;
  return beginTurn();
}

function storedRow(row: Awaited<ReturnType<World['scheduleRow']>>) {
  return {
    id: row.callId,
    account_id: row.accountId,
    agent_id: row.agentId,
    agent_version: row.agentVersion,
    caller_number: row.callerNumber,
    callee_number: row.calleeNumber,
    currency: row.currency,
    rate_prefix: row.rate.prefix,
    connection_fee_micros: 0,
    price_per_minute_micros: 0,
    initial_increment_seconds: 60,
    increment_seconds: 60,
    arbiter_id: row.arbiterId,
    max_duration_seconds: 60,
    ring_timeout_seconds: 30,
    variables: {},
    metadata: {},
    request_id: row.requestId,
    queue_ttl_seconds: 600,
    scheduled_for_ms: row.schedule.scheduledForMs,
    give_up_at_ms: row.schedule.giveUpAtMs,
    waiting_for: 'time',
  };
}
