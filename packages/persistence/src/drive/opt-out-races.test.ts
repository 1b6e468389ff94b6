import type { ClaimedCall, Settlement } from '@outdial/calls';
import { e164Schema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suppress } from '../../test/suppress.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createDriveStore } from './drive-store.ts';
import { endSuppressedAfter } from './end-suppressed.ts';
import { storeOptOuts } from './opt-outs.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const OPT_OUT = { evidence: 'key', note: null } as const;
const number = (nth: number) => e164Schema.parse(`+1202556${String(nth).padStart(4, '0')}`);

const optOutOf = ({ id: callId, epoch, startedAtMs }: ClaimedCall) => ({
  callId,
  epoch,
  ...OPT_OUT,
  atMs: startedAtMs + 5_000,
});

const eventsOf = async ({ accountId }: Party, { id }: Pick<ClaimedCall, 'id'>) =>
  (await world.reader.events(accountId, id))?.filter(({ type }) => type === 'opted_out').length;

const entriesOf = async ({ accountId }: Party) => {
  const [row] = await world.database.side.$queryRaw<{ entries: number }[]>`
    SELECT count(*)::int AS entries FROM suppressions WHERE account_id = ${accountId}::uuid AND removed_at IS NULL`;
  return row?.entries;
};

type Transaction = Parameters<Parameters<World['database']['side']['$transaction']>[0]>[0];

/** Starts `act` once `first` is done in a transaction, which does `then` while `act` waits, and commits. */
async function race(
  first: (held: Transaction) => Promise<unknown>,
  act: () => Promise<unknown>,
  then: (held: Transaction) => Promise<unknown>,
): Promise<void> {
  const { side } = world.database;
  const { acting } = await side.$transaction(async (held) => {
    await first(held);
    const started = { acting: act() };
    await expect
      .poll(async () => {
        const [state] = await side.$queryRaw<{ waiting: number }[]>`
          SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return state?.waiting;
      })
      .toBe(1);
    await then(held);
    return started;
  });
  await acting;
}

const addEntry = (held: Transaction, { accountId }: Party, callee: string) => held.$executeRaw`
  INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
  VALUES (${accountId}::uuid, ${BigInt(callee.slice(1))}, 'opt_out', 'api', 'test', clock_timestamp())`;

/** Runs `act` while the first write of the opt-out holds the call, and stores its event. */
const inFlight = ({ id }: ClaimedCall, act: () => Promise<unknown>) =>
  race(
    (held) => held.$executeRaw`SELECT FROM calls WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
    act,
    (held) => held.$executeRaw`
      INSERT INTO call_events (call_id, at, type, data) VALUES (${id}::uuid, clock_timestamp(), 'opted_out', '{}')`,
  );

describe('an opt-out whose first write is still in flight', () => {
  test('is in the timeline once when it is repeated', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    await inFlight(call, () => world.drives.optOut(optOutOf(call)));
    expect([await eventsOf(party, call), await entriesOf(party)]).toEqual([1, 1]);
  });

  test('is in the timeline once when the settlement repeats it', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    const settlement = settlementOf(call, { reason: 'opted_out', optOut: OPT_OUT });
    await inFlight(call, () => world.drives.settle(settlement));
    expect([await eventsOf(party, call), await entriesOf(party)]).toEqual([1, 1]);
  });
});

test('a settlement whose opt-out could not be stored before ends what is scheduled to the number', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const { calleeNumber } = call;
  const schedule = { scheduledForMs: Date.now() + 3_600_000, giveUpAtMs: Date.now() + 7_200_000, retry: null };
  const [same, other] = [
    await world.scheduled(party, { calleeNumber, schedule }),
    await world.scheduled(party, { calleeNumber: number(1), schedule }),
  ];
  await world.drives.settle(settlementOf(call, { reason: 'opted_out', optOut: OPT_OUT }));
  const find = ({ id }: { readonly id: ClaimedCall['id'] }) => world.reader.find(party.accountId, id);
  await expect.poll(() => find(same)).toMatchObject({ status: 'ended', endedReason: 'suppressed', costMicros: 0n });
  expect(await find(other)).toMatchObject({ status: 'scheduled' });
});

test('ending what is scheduled waits for no turn: a call whose schedule is locked stays, to end when it is admitted', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const { calleeNumber } = call;
  const [locked, free] = [
    await world.scheduled(party, { calleeNumber }),
    await world.scheduled(party, { calleeNumber }),
  ];
  await suppress(world.database, { accountId: party.accountId, number: calleeNumber, kind: 'opt_out' });
  const { side } = world.database;
  await side.$transaction(async (transaction) => {
    await transaction.$executeRaw`
      SELECT FROM call_schedules WHERE call_id = ${locked.id}::uuid FOR NO KEY UPDATE`;
    expect(await endSuppressedAfter(world.database, call.id)).toEqual([free.id]);
  });
  expect(await endSuppressedAfter(world.database, call.id)).toEqual([locked.id]);
});

describe('the order of locks', () => {
  test('of opt-outs is that of their numbers, as an import adds them', async () => {
    const party = await world.party();
    const claimed = [await world.claimed(party), await world.claimed(party)];
    const [early, late] = claimed.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    if (!early || !late) return;
    // The call with the lower id has the higher number.
    const numbers = [number(2), number(1)] as const;
    for (const [nth, { id }] of [early, late].entries())
      await world.database.side.$executeRaw`UPDATE calls SET callee_number = ${numbers[nth]} WHERE id = ${id}::uuid`;
    await race(
      (held) => addEntry(held, party, number(1)),
      () => storeOptOuts(world.database, [early, late].map(optOutOf)),
      (held) => addEntry(held, party, number(2)),
    );
    expect(await entriesOf(party)).toBe(2);
  });

  test('of a settlement is calls, wallets, opt-outs', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    const settlement = settlementOf(call, { reason: 'opted_out', optOut: OPT_OUT });
    await race(
      (held) => held.$executeRaw`
        SELECT FROM wallets WHERE account_id = ${party.accountId}::uuid FOR NO KEY UPDATE`,
      () => world.drives.settle(settlement),
      (held) => addEntry(held, party, call.calleeNumber),
    );
    expect([await eventsOf(party, call), await entriesOf(party)]).toEqual([1, 1]);
  });
});

test('opt-outs and settlements of one account, of several workers, are each stored once', async () => {
  const party = await world.party();
  const stores = [world.drives, createDriveStore(world.database), createDriveStore(world.database)];
  for (let round = 0; round < 4; round += 1) {
    // Two calls to each number: whichever comes second waits for the first to add the entry.
    const numbers = Array.from({ length: 40 }, (_, nth) => number(100 + round * 20 + (nth % 20)));
    const calls = await Promise.all(numbers.map((calleeNumber) => world.claimed(party, { calleeNumber })));
    const shuffled = calls.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const settlement = (call: ClaimedCall): Settlement => settlementOf(call, { reason: 'opted_out', optOut: OPT_OUT });
    await Promise.all(
      shuffled.map(async (call, nth) => {
        const store = stores[nth % stores.length] ?? world.drives;
        if (nth % 2 === 0) await store.optOut(optOutOf(call));
        await store.settle(settlement(call));
      }),
    );
    expect(await Promise.all(calls.map((call) => eventsOf(party, call)))).toEqual(calls.map(() => 1));
    expect(await entriesOf(party)).toBe((round + 1) * 20);
  }
});
