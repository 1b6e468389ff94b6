import { randomUUID } from 'node:crypto';
import type { DialAttemptStore, ClaimedCall } from '@outdial/calls';
import { callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createDialAttemptStore } from './dial-attempt-store.ts';

let world: World;
let party: Party;
let attempts: DialAttemptStore;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  attempts = createDialAttemptStore(world.database);
});
afterAll(() => world.close());

const [main, spare] = [newTrunkName(), newTrunkName()];

async function begin(call: Pick<ClaimedCall, 'id' | 'epoch'>, trunk = main, number = 1) {
  const token = await world.reconciles.currentToken();
  const dialog = { trunk, number };
  return attempts.beginAttempt({ callId: call.id, epoch: call.epoch, carrier: 'sip', trunk, dialog, number, token });
}
const WRITTEN = { kind: 'written', endRequested: false };
const fenceOf = ({ id, epoch }: ClaimedCall) => ({ callId: id, epoch });
const dialogOf = async ({ id }: ClaimedCall) => {
  const [row] = await world.database.side.$queryRaw<{ carrier: string | null; dialog: unknown }[]>`
    SELECT carrier, dialog FROM calls WHERE id = ${id}::uuid`;
  return row;
};
const attemptsOf = ({ id }: ClaimedCall) => world.database.side.$queryRaw<{ number: number; trunk: string }[]>`
  SELECT number, trunk FROM call_attempts WHERE call_id = ${id}::uuid ORDER BY number`;

test('each dial attempt is stored once with its leg, replacing the dialog of the previous one', async () => {
  const call = await world.claimed(party);
  expect(await begin(call)).toEqual(WRITTEN);
  expect(await dialogOf(call)).toEqual({ carrier: 'sip', dialog: { trunk: main, number: 1 } });
  await world.drives.saveDialog({ ...fenceOf(call), carrier: 'sip', dialog: { trunk: main, tag: 'a' } });
  // A second delivery of the same attempt keeps the dialog that was stored since.
  expect(await begin(call)).toEqual(WRITTEN);
  expect(await dialogOf(call)).toEqual({ carrier: 'sip', dialog: { trunk: main, tag: 'a' } });
  expect(await begin(call, spare, 2)).toEqual(WRITTEN);
  expect(await dialogOf(call)).toEqual({ carrier: 'sip', dialog: { trunk: spare, number: 2 } });
  expect(await attemptsOf(call)).toEqual([
    { number: 1, trunk: main },
    { number: 2, trunk: spare },
  ]);
});

test('a worker of the previous release, which sends no leg, begins a dial attempt without one', async () => {
  const call = await world.claimed(party);
  const { generation, walTimeline } = await world.reconciles.currentToken();
  const batch = [
    { id: call.id, epoch: call.epoch, number: 1, carrier: 'sip', trunk: main, generation, timeline: walTimeline },
  ];
  const answers = await world.database.side.$queryRaw<{ outcome: string }[]>`
    SELECT outcome FROM begin_attempts(${JSON.stringify(batch)}::jsonb)`;
  expect(answers).toEqual([{ outcome: 'written' }]);
  expect(await dialogOf(call)).toEqual({ carrier: 'sip', dialog: null });
});

test('no dial attempt begins for a call that is unclaimed, ended, or another worker’s', async () => {
  const queued = await world.queued(party);
  expect(await begin({ id: queued.id, epoch: 0 })).toEqual({ kind: 'fenced' });
  const ended = await world.claimed(party);
  await world.drives.settle(settlementOf(ended));
  expect(await begin(ended)).toEqual({ kind: 'fenced' });
  const taken = await world.claimed(party);
  expect(await begin({ id: taken.id, epoch: taken.epoch - 1 })).toEqual({ kind: 'fenced' });
  for (const call of [ended, taken]) expect(await attemptsOf(call)).toEqual([]);
});

test('a channel that an earlier gate generation granted is rejected', async () => {
  const call = await world.claimed(party);
  const token = await world.reconciles.currentToken();
  const stale = { ...token, generation: token.generation - 1 };
  const input = { callId: call.id, epoch: call.epoch, carrier: 'sip', trunk: main, dialog: {}, number: 1 };
  expect(await attempts.beginAttempt({ ...input, token: stale })).toEqual({ kind: 'gate_stale' });
  expect(await attempts.beginAttempt({ ...input, token: { ...token, walTimeline: 'FFFFFFFF' } })).toEqual({
    kind: 'gate_stale',
  });
  expect(await attemptsOf(call)).toEqual([]);
  expect(await begin(call)).toEqual(WRITTEN);
});

test('no dial attempt begins for a number that was listed after the claim, and the claim is refused then', async () => {
  const own = await world.party();
  const call = await world.claimed(own);
  await world.database.side.$executeRaw`
    INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
    VALUES (${own.accountId}::uuid, substr(${call.calleeNumber}, 2)::bigint, 'manual', 'api', 'test', now())`;
  expect(await begin(call)).toEqual({ kind: 'paused' });
  expect(await attemptsOf(call)).toEqual([]);
  expect(await dialogOf(call)).toEqual({ carrier: null, dialog: null });
  expect(await world.drives.reclaim({ ...fenceOf(call), leaseMs: 60_000 })).toEqual({
    kind: 'refused',
    reason: 'suppressed',
  });
});

test('the list of one account keeps no other from beginning a dial attempt', async () => {
  const other = await world.party();
  const call = await world.claimed(party);
  await world.database.side.$executeRaw`
    INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
    VALUES (${other.accountId}::uuid, substr(${call.calleeNumber}, 2)::bigint, 'manual', 'api', 'test', now())`;
  expect(await begin(call)).toEqual(WRITTEN);
});

test('a begin returns that the end was requested', async () => {
  const call = await world.claimed(party);
  await world.ends.requestEnd({ accountId: party.accountId, callId: call.id });
  expect(await begin(call)).toEqual({ kind: 'written', endRequested: true });
});

test('concurrent begins get independent outcomes', async () => {
  const calls = await Promise.all(Array.from({ length: 40 }, () => world.claimed(party)));
  const outcomes = await Promise.all(
    calls.map((call, index) => begin(index % 2 === 0 ? call : { ...call, epoch: call.epoch + 1 })),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(calls.map((_, index) => (index % 2 === 0 ? 'written' : 'fenced')));
});

test('taken channels are those of open calls, each on its latest trunk', async () => {
  const [open, ended, queued] = [await world.claimed(party), await world.claimed(party), await world.queued(party)];
  await begin(open, main, 1);
  await begin(open, spare, 2);
  await begin(ended);
  await world.drives.settle(settlementOf(ended));
  const taken = await attempts.takenChannels();
  const mine = taken.filter(({ callId }) => [open.id, ended.id, queued.id].includes(callId));
  expect(mine).toEqual([{ callId: open.id, reservationId: open.reservationId, trunk: spare }]);
});

test("a call's caller number is readable before the claim", async () => {
  const { id, callerNumber } = await world.queued(party);
  expect(await attempts.callerNumberOf(id)).toBe(callerNumber);
  expect(await attempts.callerNumberOf(callIdSchema.parse(randomUUID()))).toBeNull();
});
