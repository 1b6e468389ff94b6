import type { CallId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSecondLeg } from '../../test/second-leg.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createFindIdempotent } from '../accept/find-idempotent.ts';
import { createAdministration } from '../administration/administration.ts';
import { countEndedCalls } from '../totals/count-ended-calls.ts';
import { createRetentionStore, type CallWalk, type RetentionStore } from './retention-store.ts';
import { daysOf, replayDaysOf, retentionProblem } from './retention-settings.ts';

const DAYS = 30;
const DIGEST = '7a'.repeat(32);

let world: World;
let store: RetentionStore;
beforeAll(async () => {
  world = await createWorld();
  store = createRetentionStore(world.database);
});
afterAll(() => world.close());

/** Moves a call and its timeline into the past. */
async function age(id: CallId, days: number): Promise<void> {
  const { side } = world.database;
  await side.$executeRaw`
    UPDATE calls SET created_at = created_at - make_interval(days => ${days}::int),
      started_at = started_at - make_interval(days => ${days}::int),
      answered_at = answered_at - make_interval(days => ${days}::int),
      ended_at = ended_at - make_interval(days => ${days}::int),
      settled_at = settled_at - make_interval(days => ${days}::int) WHERE id = ${id}::uuid`;
  await side.$executeRaw`
    UPDATE call_events SET at = at - make_interval(days => ${days}::int) WHERE call_id = ${id}::uuid`;
}

async function ended(party: Party, days: number, key?: string): Promise<CallId> {
  const call = await world.claimed(party, key === undefined ? {} : { idempotency: { key, bodyDigest: DIGEST } });
  await world.drives.settle(settlementOf(call));
  await age(call.id, days);
  return call.id;
}

async function open(party: Party, days: number): Promise<CallId> {
  const call = await world.queued(party);
  await age(call.id, days);
  return call.id;
}

/** All that is due of every account, two calls at a time. */
async function deleteDueCalls(days = DAYS): Promise<number> {
  let count = 0;
  for (const accountId of await store.accountsWithOldCalls(null, days, 1_000)) {
    let after: CallWalk | null = null;
    do {
      const position: CallWalk | null = after;
      const { due, next } = await store.oldCalls({ accountId, after: position, days, limit: 2 });
      count += await store.deleteCalls({ accountId, callIds: due, days, keyDays: 30 });
      after = next;
    } while (after !== null);
  }
  return count;
}

async function storedOf(party: Party): Promise<readonly CallId[]> {
  const rows = await world.database.side.$queryRaw<{ id: CallId }[]>`
    SELECT id FROM calls WHERE account_id = ${party.accountId}::uuid ORDER BY id`;
  return rows.map(({ id }) => id);
}

const moneyOf = (party: Party) => world.database.side.$queryRaw`
  SELECT w.balance_micros, (SELECT json_agg(e ORDER BY e.id) FROM ledger_entries e WHERE e.account_id = w.account_id) AS entries
  FROM wallets w WHERE w.account_id = ${party.accountId}::uuid`;

const totalsOf = (party: Party) => world.database.side.$queryRaw`
  SELECT t.* FROM call_totals t WHERE t.account_id = ${party.accountId}::uuid ORDER BY t.starts_at, t.ended_reason`;

const rowsOf = async (ids: readonly CallId[]) => {
  const [row] = await world.database.side.$queryRaw<{ rows: number }[]>`
    SELECT (SELECT count(*) FROM call_events e WHERE e.call_id = ANY (${ids}::uuid[]))::int
      + (SELECT count(*) FROM call_terms t WHERE t.call_id = ANY (${ids}::uuid[]))::int
      + (SELECT count(*) FROM call_attempts t WHERE t.call_id = ANY (${ids}::uuid[]))::int AS rows`;
  return row?.rows;
};

test('old ended calls are deleted with what belongs to them; the ledger, the balance and the totals stay as they are', async () => {
  const [party, neighbor] = [await world.party(), await world.party()];
  const gone = [await ended(party, 40), await ended(party, 31), await ended(party, 400)];
  const kept = [await ended(party, 29), await ended(party, 0), await open(party, 90)];
  const neighbors = [await ended(neighbor, 10), await open(neighbor, 500)];
  await countEndedCalls(world.database);
  const before = [await moneyOf(party), await totalsOf(party), await moneyOf(neighbor), await totalsOf(neighbor)];
  expect(await deleteDueCalls()).toBe(gone.length);
  expect(await storedOf(party)).toEqual(kept.toSorted());
  expect(await storedOf(neighbor)).toEqual(neighbors.toSorted());
  expect(await rowsOf(gone)).toBe(0);
  expect(await rowsOf(kept)).toBeGreaterThan(0);
  expect([await moneyOf(party), await totalsOf(party), await moneyOf(neighbor), await totalsOf(neighbor)]).toEqual(
    before,
  );
  expect(await deleteDueCalls()).toBe(0);
  // An ended call that comes later is counted on top of them.
  await ended(party, 0);
  await countEndedCalls(world.database);
  expect(await totalsOf(party)).not.toEqual(before[1]);
  await expect(world.database.side.$executeRaw`SELECT recount_calls()`).rejects.toThrow(/retention has deleted calls/);
});

test('the reservation of a second leg goes with its call', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const { reservationId } = await beginSecondLeg(world, call, 7_000);
  const left = () => world.database.side.reservation.count({ where: { id: reservationId } });
  await world.drives.settle(settlementOf(call));
  await age(call.id, 40);
  await countEndedCalls(world.database);
  expect(await left()).toBe(1);
  expect(await deleteDueCalls()).toBe(1);
  expect(await left()).toBe(0);
});

test('whatever is open or young stays, and nothing else does', async () => {
  const call = fc.record({
    isOpen: fc.boolean(),
    days: fc.integer({ min: 0, max: 60 }).filter((days) => days !== DAYS),
  });
  const property = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
    const party = await world.party();
    const kept: CallId[] = [];
    for (const { isOpen, days } of calls) {
      const id = await (isOpen ? open(party, days) : ended(party, days));
      if (isOpen || days < DAYS) kept.push(id);
    }
    await countEndedCalls(world.database);
    await deleteDueCalls();
    expect(await storedOf(party)).toEqual(kept.toSorted());
  });
  await fc.assert(property, { numRuns: 8 });
});

test('a call that is not counted yet, or whose analysis is pending, waits', async () => {
  const party = await world.party();
  const uncounted = await ended(party, 40);
  expect(await deleteDueCalls()).toBe(0);
  await countEndedCalls(world.database);
  await world.database.side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, analysis_status, analysis_due_at, analysis_account_id)
    VALUES (${uncounted}::uuid, 'realtime', 'pending', now(), ${party.accountId}::uuid)`;
  expect(await deleteDueCalls()).toBe(0);
  await world.database.side.$executeRaw`
    UPDATE model_calls SET analysis_status = 'skipped', analysis_due_at = NULL WHERE call_id = ${uncounted}::uuid`;
  expect(await deleteDueCalls()).toBe(1);
});

test('a repeated request gets the call as it ended for thirty days after its deletion, and is refused later', async () => {
  const [party, neighbor] = [await world.party(), await world.party()];
  const callId = await ended(party, 40, 'order-1');
  await countEndedCalls(world.database);
  const find = createFindIdempotent(world.database, { clock: systemClock });
  const ask = ({ accountId }: Party) => find({ accountId, callId, sendByMs: Number.POSITIVE_INFINITY });
  const before = await ask(party);
  await deleteDueCalls();
  expect(await storedOf(party)).toEqual([]);
  const unsaid = { transcript: null, summary: null, reviewNote: null, recordingStatus: 'none' };
  expect(await ask(party)).toEqual({ bodyDigest: DIGEST, call: { ...before?.call, ...unsaid } });
  expect(await ask(neighbor)).toBeNull();
  const [key] = await world.database.side.$queryRaw<{ days: number }[]>`
    SELECT extract(epoch FROM expires_at - now())::int / 86400 AS days FROM deleted_call_keys WHERE call_id = ${callId}::uuid`;
  expect(key?.days).toBeGreaterThanOrEqual(29);
  expect(await store.deleteKeys(100)).toBe(0);
  await world.database.side
    .$executeRaw`UPDATE deleted_call_keys SET expires_at = now() WHERE call_id = ${callId}::uuid`;
  expect(await ask(party)).toMatchObject({ call: null });
  expect(await store.deleteKeys(100)).toBe(1);
  expect(await ask(party)).toMatchObject({ call: null });
  expect(await ask(neighbor)).toBeNull();
});

test('the repeat of a conducted call has its usage, its rates and its second legs after its deletion', async () => {
  const party = await world.party();
  const call = await world.claimed(party, { idempotency: { key: 'order-2', bodyDigest: DIGEST } });
  const usage = [{ component: 'llm', provider: 'openai', model: 'gpt-5', unit: 'input_tokens', quantity: 1_200 }];
  const { side } = world.database;
  await side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, needs, rates, estimate_micros_per_minute, usage, usage_cost_micros, analysis_status, analysis)
    VALUES (${call.id}::uuid, 'realtime', '[]', '[]', 5000, ${JSON.stringify(usage)}::jsonb, 900, 'skipped', NULL)`;
  await beginSecondLeg(world, call, 7_000);
  await world.drives.settle(settlementOf(call));
  await age(call.id, 40);
  await countEndedCalls(world.database);
  const find = createFindIdempotent(world.database, { clock: systemClock });
  const ask = () => find({ accountId: party.accountId, callId: call.id, sendByMs: Number.POSITIVE_INFINITY });
  const before = await ask();
  expect(before?.call).toMatchObject({
    usage,
    conducted: { driver: 'realtime' },
    legs: [{ destination: expect.any(String) }],
  });
  expect(await deleteDueCalls()).toBe(1);
  const unsaid = { transcript: null, summary: null, reviewNote: null, recordingStatus: 'none', analysisStatus: 'none' };
  expect((await ask())?.call).toEqual({ ...before?.call, ...unsaid });
});

test('timelines of ended calls and audit entries are deleted by their own retention', async () => {
  const party = await world.party();
  const [old, young, live] = [await ended(party, 40), await ended(party, 20), await open(party, 40)];
  const { side } = world.database;
  await side.$executeRaw`
    INSERT INTO audit_entries (at, actor, action, subject_type, subject_id)
    VALUES (now() - interval '40 days', 'ada', 'test.old', 'test', 'x'), (now(), 'ada', 'test.new', 'test', 'x')`;
  await store.deleteEvents(DAYS, 0n, 10_000);
  await store.deleteAudit(DAYS, 0n, 10_000);
  expect(await rowsOf([old])).toBe(0);
  expect(await rowsOf([young])).toBeGreaterThan(0);
  expect(await rowsOf([live])).toBeGreaterThan(0);
  expect(await side.$queryRaw`SELECT action FROM audit_entries WHERE subject_type = 'test'`).toEqual([
    { action: 'test.new' },
  ]);
  expect(await storedOf(party)).toHaveLength(3);
});

test('settings are changed together or not at all, and incoherent ones name the field', async () => {
  const administration = createAdministration(world.database, { actor: 'ops' });
  const { retention } = administration;
  expect(await retention.show()).toEqual({});
  expect(await retention.set({ calls: 365, timelines: 90 })).toEqual({ calls: 365, timelines: 90 });
  await expect(retention.set({ audit: 10, timelines: 366 })).rejects.toMatchObject({
    code: 'retention_incoherent',
    param: 'timelines',
  });
  await expect(retention.set({ calls: 89 })).rejects.toMatchObject({ param: 'timelines' });
  await expect(retention.set({ idempotency_keys: 29 })).rejects.toMatchObject({ param: 'idempotency_keys' });
  expect(await retention.set({ timelines: null })).toEqual({ calls: 365 });
  expect((await administration.audit({ limit: 10 })).filter(({ action }) => action === 'retention.set')).toHaveLength(
    2,
  );
  expect(await store.settings()).toEqual({ calls: 365 });
});

test('what belongs to a call is kept no longer than the call, and a replay reaches back as far as the shortest', () => {
  expect(daysOf({ calls: 7 }, 'webhooks', 14)).toBe(7);
  expect(daysOf({ calls: 7 }, 'timelines', null)).toBe(7);
  expect(daysOf({}, 'recordings', null)).toBeNull();
  expect(daysOf({ calls: 90, recordings: 30 }, 'recordings', 60)).toBe(30);
  expect(replayDaysOf({})).toBeNull();
  expect(replayDaysOf({ calls: 90, timelines: 20 })).toBe(20);
  expect(replayDaysOf({ timelines: 20, webhooks: 10 })).toBe(10);
  expect(retentionProblem({ webhooks: 21, timelines: 20 })).toMatchObject({ kind: 'webhooks' });
  expect(retentionProblem({ calls: 1, timelines: 1, recordings: 1, webhooks: 1, audit: 1 })).toBeNull();
});
