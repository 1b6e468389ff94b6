import type { ClaimedCall } from '@outdial/calls';
import { calleePlace } from '@outdial/policies';
import { CONDUCTED } from '@outdial/calls/testing';
import { DRIVERS, e164Schema, micros, type CallId, type CallingPolicySettings } from '@outdial/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CLOSED, dialed, dialsOf, openDaily, savePolicy, setFloor } from '../../test/policies.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, LEASE_MS, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  party = await world.party();
});
afterEach(() => setFloor(world.database, null));
afterAll(() => world.close());

const calleeNumber = e164Schema.parse('+12025550143');
const ALWAYS = openDaily('00:00-24:00');
const CLOSES = { kind: 'refused', reason: 'outside_calling_window' };
const CAPS = { kind: 'refused', reason: 'frequency_capped' };
const WRITTEN = { kind: 'written', endRequested: false };

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
const save = (settings: Partial<CallingPolicySettings>) => savePolicy(world.database, party.accountId, settings);
const number = () => ({ accountId: party.accountId, number: calleeNumber });
const placeOf = async (id: CallId) => {
  const [row] = await world.database.side.$queryRaw<object[]>`
    SELECT callee_zones AS zones, callee_regions AS regions, callee_time_zone AS given FROM calls WHERE id = ${id}::uuid`;
  return row;
};

interface Rules {
  readonly name: string;
  readonly begin: () => Promise<void>;
  readonly isClosed: boolean;
}

const RULES: readonly Rules[] = [
  { name: 'a policy that is closed at any hour', begin: () => save(CLOSED), isClosed: true },
  {
    name: 'the operator’s floor alone, of an account that never had a policy,',
    begin: () => setFloor(world.database, CLOSED),
    isClosed: true,
  },
  {
    name: 'the operator’s floor, of an account whose policy is open,',
    begin: async () => {
      await save(ALWAYS);
      await setFloor(world.database, CLOSED);
    },
    isClosed: true,
  },
  {
    name: 'a policy that closes this month',
    begin: async () => {
      const days = Array.from({ length: 31 }, (_, nth) => new Date(Date.now() + (nth - 2) * 86_400_000));
      await save({ closed_days: days.map((day) => day.toISOString().slice(0, 10)) });
    },
    isClosed: true,
  },
  { name: 'a policy that is open at any hour', begin: () => save(ALWAYS), isClosed: false },
  {
    name: 'a policy that was closed, and is open in its next version,',
    begin: async () => {
      await save(CLOSED);
      await save(ALWAYS);
    },
    isClosed: false,
  },
  {
    name: 'a policy of another account',
    begin: async () => savePolicy(world.database, (await world.party()).accountId, CLOSED),
    isClosed: false,
  },
];

describe.each(RULES)('$name', ({ begin: beginRules, isClosed }) => {
  test(`${isClosed ? 'forbids' : 'does not forbid'} the dial of a call that was accepted before it`, async () => {
    const [queued, claimed] = [await world.queued(party), await world.claimed(party)];
    await beginRules();
    // Last the claim: it changes the call.
    expect(await begin(claimed)).toEqual(isClosed ? { kind: 'paused' } : WRITTEN);
    expect(await attemptsOf(claimed)).toBe(isClosed ? 0 : 1);
    expect(await reclaim(claimed)).toEqual(isClosed ? CLOSES : { kind: 'claimed' });
    expect(await claimOf(queued)).toMatchObject(isClosed ? CLOSES : { kind: 'claimed' });
  });
});

describe('a policy with hours', () => {
  test('closes a call that is stored without the zones of its callee', async () => {
    const [queued, claimed] = [await world.queued(party), await world.claimed(party)];
    // As the previous version stores it.
    await world.database.side.$executeRaw`
      UPDATE calls SET callee_zones = NULL, callee_regions = NULL WHERE account_id = ${party.accountId}::uuid`;
    expect(await begin(claimed)).toEqual(WRITTEN);
    await save(ALWAYS);
    expect(await begin(claimed, 2)).toEqual({ kind: 'paused' });
    expect(await claimOf(queued)).toEqual(CLOSES);
  });

  test('closes a number that is of no zone, unless the request gave one', async () => {
    const [nowhere, london] = [calleePlace('+881612345678', null), calleePlace('+881612345678', 'Europe/London')];
    const calls = await Promise.all([nowhere, london].map((place) => world.queued(party, { place })));
    await save(ALWAYS);
    expect((await Promise.all(calls.map(claimOf))).map(({ kind }) => kind)).toEqual(['refused', 'claimed']);
  });

  test('that is saved between two dial attempts lets the second not begin', async () => {
    const call = await world.claimed(party);
    expect(await begin(call)).toEqual(WRITTEN);
    await save(CLOSED);
    expect(await begin(call, 2)).toEqual({ kind: 'paused' });
    expect([await attemptsOf(call), await reclaim(call)]).toEqual([1, CLOSES]);
  });

  test('concerns only its account among the calls of one batch', async () => {
    const other = await world.party();
    const queued = await Promise.all([party, other, party, other].map((owner) => world.queued(owner)));
    await save(CLOSED);
    const expected = ['refused', 'claimed', 'refused', 'claimed'];
    expect((await Promise.all(queued.map(claimOf))).map(({ kind }) => kind)).toEqual(expected);
  });

  test('concerns only its region among the calls of one batch', async () => {
    const numbers = ['+12125550143', '+13055550143', '+442071838750'].map((text) => e164Schema.parse(text));
    const queued = await Promise.all(
      numbers.map((each) => world.queued(party, { calleeNumber: each, place: calleePlace(each, null) })),
    );
    await save({ windows: { 'US-FL': { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } } });
    expect((await Promise.all(queued.map(claimOf))).map(({ kind }) => kind)).toEqual(['claimed', 'refused', 'claimed']);
  });
});

describe('a cap', () => {
  test('counts a call when it may be dialed, and never twice', async () => {
    await save({ caps: [{ hours: 24, max: 2 }] });
    const call = await world.claimed(party, { calleeNumber });
    expect(await dialsOf(world.database, number())).toEqual([call.startedAtMs]);
    expect(await reclaim(call)).toEqual({ kind: 'claimed' });
    expect(await begin(call)).toEqual(WRITTEN);
    const dials = await dialsOf(world.database, number());
    expect(dials).toHaveLength(1);
    expect(dials[0]).toBeGreaterThanOrEqual(call.startedAtMs);
  });

  test('lets calls of one statement to one number be dialed as often as it says', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => world.queued(party, { calleeNumber })));
    await save({ caps: [{ hours: 24, max: 3 }] });
    const outcomes = await Promise.all(calls.map(claimOf));
    expect(outcomes.filter(({ kind }) => kind === 'claimed')).toHaveLength(3);
    for (const outcome of outcomes) if (outcome.kind !== 'claimed') expect(outcome).toEqual(CAPS);
    expect(await dialsOf(world.database, number())).toHaveLength(3);
  });

  test('does not count a call that is not dialed: it is refused, paused, or lacks a line', async () => {
    await save({ caps: [{ hours: 24, max: 1 }] });
    const conducted = await world.queued(party, { calleeNumber, conducted: CONDUCTED });
    const claim = { callId: conducted.id, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: false };
    expect(await world.drives.claim({ ...claim, drivers: DRIVERS })).toEqual({ kind: 'lines_needed' });
    expect(await dialsOf(world.database, number())).toEqual([]);
    expect((await claimOf(await world.queued(party, { calleeNumber }))).kind).toBe('claimed');
    const lines = { names: [], token: await world.reconciles.currentToken() };
    expect(await world.drives.claim({ ...claim, drivers: DRIVERS, lines })).toEqual(CAPS);
    const [row] = await world.database.side.$queryRaw<{ lines: unknown }[]>`
      SELECT lines FROM model_calls WHERE call_id = ${conducted.id}::uuid`;
    expect(row?.lines).toBeNull();
  });

  test('refuses a call that is claimed again, if others have been dialed since', async () => {
    const call = await world.claimed(party, { calleeNumber });
    await save({ caps: [{ hours: 24, max: 1 }] });
    await dialed(world.database, number());
    expect(await reclaim(call)).toEqual(CAPS);
  });

  test('of the floor is asked besides the account’s own', async () => {
    await save({ caps: [{ hours: 1, max: 5 }] });
    await setFloor(world.database, { caps: [{ hours: 24, max: 1 }] });
    const calls = await Promise.all([1, 2].map(() => world.queued(party, { calleeNumber })));
    expect((await Promise.all(calls.map(claimOf))).map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'refused']);
    const refused = await world.accepts.accept(await world.row(party, { calleeNumber }));
    expect(refused).toEqual({ kind: 'frequency_capped' });
  });

  test('counts nothing while no policy has one', async () => {
    await save(ALWAYS);
    await world.claimed(party, { calleeNumber });
    expect(await dialsOf(world.database, number())).toEqual([]);
  });
});

test('a call keeps where its callee is, and so does its retry', async () => {
  const place = calleePlace('+14235550100', 'America/Denver');
  const retry = { maxAttempts: 2, on: ['busy'], afterSeconds: [60] } as const;
  const schedule = { scheduledForMs: null, giveUpAtMs: Date.now() + 3_600_000, retry };
  const call = await world.claimed(party, { place, schedule });
  const stored = { zones: place.zones, regions: place.regions, given: 'America/Denver' };
  expect(await placeOf(call.id)).toEqual(stored);
  const free = { charge: { billableSeconds: 0, costMicros: micros(0) }, answeredAtMs: null, answeredBy: null };
  await world.drives.settle(settlementOf(call, { reason: 'busy', ...free }));
  const retried = await world.reader.find(party.accountId, call.id);
  const next = retried?.schedule?.nextCallId;
  if (!next) throw new Error('the call has a retry');
  expect(await placeOf(next)).toEqual(stored);
});

const setDefault = async (settings: CallingPolicySettings | null) => {
  const text = settings && JSON.stringify(settings);
  await world.database.side.$executeRaw`UPDATE system_settings SET default_policy = ${text}::jsonb`;
};
const versionsOf = ({ accountId }: Party) => world.database.side.$queryRaw<object[]>`
  SELECT p.version, p.saved_by AS "savedBy", a.policy_version AS "inForce", p.settings
  FROM accounts a JOIN calling_policies p ON p.account_id = a.id WHERE a.id = ${accountId}::uuid`;

describe('the default policy', () => {
  afterEach(() => setDefault(null));

  test('is the first version of an account that is made while there is one, and of no other', async () => {
    await setDefault(CLOSED);
    const later = await world.party();
    expect(await versionsOf(later)).toEqual([{ version: 1, savedBy: 'default', inForce: 1, settings: CLOSED }]);
    expect(await versionsOf(party)).toEqual([]);
    expect(await claimOf(await world.queued(later))).toEqual(CLOSES);
  });

  test('without a rule leaves an account without a policy', async () => {
    await setDefault({ ...CLOSED, windows: {} });
    expect(await versionsOf(await world.party())).toEqual([]);
  });
});

test('a version never changes', async () => {
  await save(CLOSED);
  const changing = world.database.side.$executeRaw`
    UPDATE calling_policies SET settings = ${JSON.stringify(ALWAYS)}::jsonb WHERE account_id = ${party.accountId}::uuid`;
  await expect(changing).rejects.toThrow('a version of a calling policy never changes');
});
