import { e164Schema, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialed, dialsOf, savePolicy } from '../../test/policies.ts';
import { createWorld, LEASE_MS, WORKER, type Party, type World } from '../../test/world.ts';
import { createDriveStore } from '../drive/drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const [ONE, OTHER] = [e164Schema.parse('+12025550141'), e164Schema.parse('+12025550142')];
const ONCE_AN_HOUR = { caps: [{ hours: 1, max: 1 }] };
const TWICE_AN_HOUR = { caps: [{ hours: 1, max: 2 }] };
/** Before any period that counts. */
const LONG_AGO = [7_200];

const claimInput = (callId: CallId) => ({
  callId,
  workerId: WORKER,
  leaseMs: LEASE_MS,
  writeAheadDial: false,
});

/** Those of two workers: each has its own group commit, and so its own statement. */
const twoStores = () => [createDriveStore(world.database), createDriveStore(world.database)] as const;

type Transaction = Parameters<Parameters<World['database']['side']['$transaction']>[0]>[0];

/** Runs `act`, which has to wait for what `first` holds, until it is committed. */
async function behind<Result>(
  first: (held: Transaction) => Promise<unknown>,
  act: () => Promise<Result>,
): Promise<Result> {
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
    return started;
  });
  return acting;
}

test.for(['no call', 'a call long ago'])(
  'of two claims at once to one number that had %s, a cap of one grants exactly one',
  async (before) => {
    const party = await world.party();
    await savePolicy(world.database, party.accountId, ONCE_AN_HOUR);
    if (before !== 'no call') await dialed(world.database, { accountId: party.accountId, number: ONE }, LONG_AGO);
    const [first, second] = twoStores();
    const [one, another] = [
      await world.queued(party, { calleeNumber: ONE }),
      await world.queued(party, { calleeNumber: ONE }),
    ];
    const outcomes = await Promise.all([first.claim(claimInput(one.id)), second.claim(claimInput(another.id))]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'refused']);
    expect(outcomes).toContainEqual({ kind: 'refused', reason: 'frequency_capped' });
  },
);

test.for(['no call', 'a call long ago'])(
  'a claim waits for another one to a number that had %s, and then counts its dial',
  async (before) => {
    const party = await world.party();
    await savePolicy(world.database, party.accountId, ONCE_AN_HOUR);
    if (before !== 'no call') await dialed(world.database, { accountId: party.accountId, number: ONE }, LONG_AGO);
    const { id } = await world.queued(party, { calleeNumber: ONE });
    const outcome = await behind(
      (held) => held.$queryRaw`SELECT grant_dial(${party.accountId}::uuid, ${ONE}, NULL, clock_timestamp())`,
      () => world.drives.claim(claimInput(id)),
    );
    expect(outcome).toEqual({ kind: 'refused', reason: 'frequency_capped' });
  },
);

test('two batches with the same numbers in opposite order do not wait for each other', async () => {
  const party = await world.party();
  await savePolicy(world.database, party.accountId, { caps: [{ hours: 1, max: 50 }] });
  for (let round = 0; round < 10; round += 1) {
    const call = (calleeNumber: typeof ONE) => world.queued(party, { calleeNumber });
    // Calls are locked in the order of their ids, which here is not that of the numbers.
    const one = [await call(ONE), await call(OTHER)];
    const another = [await call(OTHER), await call(ONE)];
    const [first, second] = twoStores();
    const claims = [
      ...one.map(({ id }) => first.claim(claimInput(id))),
      ...another.map(({ id }) => second.claim(claimInput(id))),
    ];
    expect((await Promise.all(claims)).map(({ kind }) => kind)).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);
  }
});

test('of one batch, a number is granted as often as its cap allows', async () => {
  const party = await world.party();
  await savePolicy(world.database, party.accountId, TWICE_AN_HOUR);
  const calls = await Promise.all([1, 2, 3, 4].map(() => world.queued(party, { calleeNumber: ONE })));
  const outcomes = await Promise.all(calls.map(({ id }) => world.drives.claim(claimInput(id))));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'claimed', 'refused', 'refused']);
});

test('a call that is claimed again takes no place of another one that was granted in the same millisecond', async () => {
  const party = await world.party();
  await savePolicy(world.database, party.accountId, TWICE_AN_HOUR);
  const call = await world.claimed(party, { calleeNumber: ONE });
  const number = { accountId: party.accountId, number: ONE };
  await world.database.side.$executeRaw`
    UPDATE dial_counts SET dialed_at = dialed_at || dialed_at WHERE account_id = ${party.accountId}::uuid`;
  const again = { callId: call.id, epoch: call.epoch, leaseMs: LEASE_MS };
  expect(await world.drives.reclaim(again)).toEqual({ kind: 'claimed' });
  expect(await dialsOf(world.database, number)).toHaveLength(2);
  const { id } = await queuedWithoutAsking(party);
  expect(await world.drives.claim(claimInput(id))).toEqual({ kind: 'refused', reason: 'frequency_capped' });
});

/** Accepted before the cap was reached. */
async function queuedWithoutAsking(party: Party) {
  const { side } = world.database;
  await side.$executeRaw`UPDATE accounts SET policy_version = 0 WHERE id = ${party.accountId}::uuid`;
  const call = await world.queued(party, { calleeNumber: ONE });
  await side.$executeRaw`UPDATE accounts SET policy_version = 1 WHERE id = ${party.accountId}::uuid`;
  return call;
}
