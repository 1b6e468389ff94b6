import type { ClaimedCall } from '@outdial/calls';
import { CONDUCTED } from '@outdial/calls/testing';
import { DRIVERS, e164Schema, type CallId } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lift, suppress } from '../../test/suppress.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, LEASE_MS, WORKER, type Party, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';

let world: World;
let party: Party;
let stranger: Party;
beforeAll(async () => {
  world = await createWorld();
  [party, stranger] = [await world.party(), await world.party()];
});
afterAll(() => world.close());

const calleeNumber = e164Schema.parse('+12025550143');
const otherNumber = e164Schema.parse('+12025550144');
afterEach(() => lift(world.database, calleeNumber));

const claimOf = ({ id: callId }: { readonly id: CallId }) =>
  world.drives.claim({ callId, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: false });
const reclaim = ({ id: callId, epoch }: Pick<ClaimedCall, 'id' | 'epoch'>) =>
  world.drives.reclaim({ callId, epoch, leaseMs: LEASE_MS });
const begin = async ({ id: callId, epoch }: Pick<ClaimedCall, 'id' | 'epoch'>, number = 1) =>
  createDialAttemptStore(world.database).beginAttempt({
    callId,
    epoch,
    carrier: 'sip',
    trunk: newTrunkName(),
    dialog: { attempt: number },
    number,
    token: await world.reconciles.currentToken(),
  });
const attemptsOf = async ({ id }: { readonly id: CallId }) => {
  const [row] = await world.database.side.$queryRaw<{ attempts: number }[]>`
    SELECT count(*)::int AS attempts FROM call_attempts WHERE call_id = ${id}::uuid`;
  return row?.attempts;
};

const REFUSED = { kind: 'refused', reason: 'suppressed' };
const own = () => ({ accountId: party.accountId, number: calleeNumber });

interface Lists {
  readonly name: string;
  readonly add: () => Promise<void>;
  readonly isSuppressed: boolean;
}

const LISTS: readonly Lists[] = [
  { name: 'an entry of its account', add: () => suppress(world.database, own()), isSuppressed: true },
  {
    name: 'an opt-out of its account',
    add: () => suppress(world.database, { ...own(), kind: 'opt_out' }),
    isSuppressed: true,
  },
  {
    name: 'an entry of the platform',
    add: () => suppress(world.database, { ...own(), accountId: null }),
    isSuppressed: true,
  },
  {
    name: 'an entry of another account',
    add: () => suppress(world.database, { ...own(), accountId: stranger.accountId }),
    isSuppressed: false,
  },
  {
    name: 'an entry of another number',
    add: () => suppress(world.database, { ...own(), number: otherNumber }),
    isSuppressed: false,
  },
  {
    name: 'an entry that was removed',
    add: async () => {
      await suppress(world.database, own());
      await lift(world.database, calleeNumber);
    },
    isSuppressed: false,
  },
];

describe.each(LISTS)('$name', ({ add, isSuppressed }) => {
  const says = isSuppressed ? 'forbids' : 'does not forbid';
  afterEach(() => lift(world.database, otherNumber));

  test(`${says} to accept or to schedule a call`, async () => {
    await add();
    const accepted = await world.accepts.accept(await world.row(party, { calleeNumber }));
    expect(accepted.kind).toBe(isSuppressed ? 'suppressed' : 'accepted');
    const scheduled = await world.accepts.schedule(await world.scheduleRow(party, { calleeNumber }));
    expect(scheduled.kind).toBe(isSuppressed ? 'suppressed' : 'scheduled');
  });

  test(`${says} the dial of a call that was accepted before it`, async () => {
    const [queued, claimed] = [
      await world.queued(party, { calleeNumber }),
      await world.claimed(party, { calleeNumber }),
    ];
    await add();
    // Last the claim: it changes the call.
    expect(await begin(claimed)).toEqual(isSuppressed ? { kind: 'paused' } : { kind: 'written', endRequested: false });
    expect(await attemptsOf(claimed)).toBe(isSuppressed ? 0 : 1);
    expect(await reclaim(claimed)).toEqual(isSuppressed ? REFUSED : { kind: 'claimed' });
    expect(await claimOf(queued)).toMatchObject(isSuppressed ? REFUSED : { kind: 'claimed' });
  });
});

describe('an entry that is committed', () => {
  test('between a claim and the claim after a pause wins over the pause', async () => {
    const call = await world.claimed(party, { calleeNumber });
    const { dialling } = createAdministration(world.database, { actor: 'test' });
    await dialling.set({ paused: true });
    expect(await reclaim(call)).toEqual({ kind: 'paused' });
    await suppress(world.database, own());
    expect(await reclaim(call)).toEqual(REFUSED);
    await dialling.set({ paused: false });
  });

  test('between two dial attempts lets the second not begin', async () => {
    const call = await world.claimed(party, { calleeNumber });
    expect((await begin(call)).kind).toBe('written');
    await suppress(world.database, own());
    expect(await begin(call, 2)).toEqual({ kind: 'paused' });
    expect(await attemptsOf(call)).toBe(1);
    expect(await reclaim(call)).toEqual(REFUSED);
  });

  test('concerns only its number among the calls of one batch', async () => {
    const numbers = [calleeNumber, otherNumber, calleeNumber, otherNumber];
    const queued = await Promise.all(numbers.map((number) => world.queued(party, { calleeNumber: number })));
    const driven = await Promise.all(numbers.map((number) => world.claimed(party, { calleeNumber: number })));
    await suppress(world.database, own());
    const expected = ['refused', 'claimed', 'refused', 'claimed'];
    expect((await Promise.all(queued.map(claimOf))).map(({ kind }) => kind)).toEqual(expected);
    expect((await Promise.all(driven.map(reclaim))).map(({ kind }) => kind)).toEqual(expected);
    const rows = await Promise.all(numbers.map((number) => world.row(party, { calleeNumber: number })));
    const accepted = await Promise.all(rows.map((row) => world.accepts.accept(row)));
    expect(accepted.map(({ kind }) => kind)).toEqual(['suppressed', 'accepted', 'suppressed', 'accepted']);
  });

  test('ends a call that models conduct before any of its lines is asked for', async () => {
    const { id: callId } = await world.queued(party, { calleeNumber, conducted: CONDUCTED });
    await suppress(world.database, own());
    expect(await claimOf({ id: callId })).toEqual(REFUSED);
    const lines = { names: [], token: await world.reconciles.currentToken() };
    const claim = { callId, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: false, drivers: DRIVERS, lines };
    expect(await world.drives.claim(claim)).toEqual(REFUSED);
    const [row] = await world.database.side.$queryRaw<{ lines: unknown }[]>`
      SELECT lines FROM model_calls WHERE call_id = ${callId}::uuid`;
    expect(row?.lines).toBeNull();
  });
});

test.each(['+1234567', '+999999999999999', '+442071838750'])(
  'a number of any length that the API accepts can be suppressed: %s',
  async (text) => {
    const number = e164Schema.parse(text);
    expect((await world.accepts.accept(await world.row(party, { calleeNumber: number }))).kind).toBe('accepted');
    await suppress(world.database, { accountId: party.accountId, number });
    const row = await world.row(party, { calleeNumber: number });
    expect(await world.accepts.accept(row)).toEqual({ kind: 'suppressed' });
  },
);

test('a claim that was sent after an entry was committed never succeeds, with any number in flight', async () => {
  for (let round = 0; round < 3; round += 1) {
    const calls = await Promise.all(Array.from({ length: 30 }, () => world.queued(party, { calleeNumber })));
    let committed = false;
    const adding = suppress(world.database, own()).then(() => (committed = true));
    const claimedAfter: boolean[] = [];
    for (const call of calls) {
      const sentAfter = committed;
      const { kind } = await claimOf(call);
      if (sentAfter) claimedAfter.push(kind === 'claimed');
    }
    await adding;
    expect(claimedAfter).not.toContain(true);
    await lift(world.database, calleeNumber);
  }
});
