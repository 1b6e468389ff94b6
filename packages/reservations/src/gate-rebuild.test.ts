import { micros } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { gateKeys } from './keys.ts';
import { beginRebuild } from './scripts/begin-rebuild.ts';
import { publish } from './scripts/publish.ts';
import {
  begin,
  collect,
  limitsOf,
  newAccountId,
  newCallId,
  newReservationId,
  open,
  snapshotOf,
  TIMELINE,
} from '../test/gate-fixture.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();
const accountId = newAccountId();
const tokenOf = (generation: number, walTimeline = TIMELINE) => ({ generation, walTimeline });
const newHold = () => ({ callId: newCallId(), accountId, reservationId: newReservationId(), holdMicros: micros(100) });

const ageMark = () => under.redis.hincrby(gateKeys().gate, 'rebuildingSinceMs', -10_001);
const becomeForeign = (field: 'runId' | 'replicationId') => under.redis.hset(gateKeys().gate, field, 'another');

test('the gate stays closed from the beginning of a rebuild to its publish', async () => {
  const ticket = await begin(under.gate);
  expect(await under.gate.state()).toEqual({ open: false, token: null, slotsInUse: 0 });
  expect(await under.gate.reserve(newHold())).toEqual({ kind: 'closed' });
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(4) }))).toBe('published');
  expect(await under.gate.state()).toEqual({ open: true, token: tokenOf(4), slotsInUse: 0 });
});

test('an open gate needs no rebuild', async () => {
  await open(under.gate);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'not_needed' });
});

test('a rebuild is left alone for ten seconds, then another may begin and the first may still publish', async () => {
  const first = await begin(under.gate);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'under_way' });
  await ageMark();
  const second = await begin(under.gate);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'under_way' });
  expect(await under.gate.publish(first, snapshotOf({ token: tokenOf(1) }))).toBe('published');
  expect(await under.gate.publish(second, snapshotOf({ token: tokenOf(2) }))).toBe('published');
});

test('one that was given back may be begun again at once, by anybody', async () => {
  const first = await begin(under.gate);
  await under.gate.abandonRebuild(first);
  await under.gate.abandonRebuild(first);
  const second = await begin(under.gate);
  expect(await under.gate.publish(second, snapshotOf())).toBe('published');
});

test("giving back frees one's own right alone: not that of who took over, and nothing once it was published", async () => {
  const first = await begin(under.gate);
  await ageMark();
  const second = await begin(under.gate);
  await under.gate.abandonRebuild(first);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'under_way' });
  await under.gate.publish(second, snapshotOf());
  await under.gate.abandonRebuild(second);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'not_needed' });
  await under.gate.close(snapshotOf().token);
  await begin(under.gate);
  await under.gate.abandonRebuild(second);
  expect(await under.gate.beginRebuild()).toEqual({ kind: 'under_way' });
});

test('a rebuild that was given back and publishes all the same does no harm to the one that came after it', async () => {
  const first = await begin(under.gate);
  await under.gate.abandonRebuild(first);
  const second = await begin(under.gate);
  expect(await under.gate.publish(first, snapshotOf({ token: tokenOf(1) }))).toBe('published');
  expect(await under.gate.publish(second, snapshotOf({ token: tokenOf(2) }))).toBe('published');
  expect(await under.gate.state()).toMatchObject({ open: true, token: tokenOf(2) });
});

test('a clock that was set back does not keep a dead rebuild alive', async () => {
  await begin(under.gate);
  await under.redis.hincrby(gateKeys().gate, 'rebuildingSinceMs', 3_600_000);
  expect(await under.gate.beginRebuild()).toMatchObject({ kind: 'begun' });
});

test('the second delivery of a begin is answered like the first', async () => {
  const context = { redis: under.redis, keys: gateKeys() };
  const first = await beginRebuild(context, { attemptId: 'one' });
  expect(await beginRebuild(context, { attemptId: 'one' })).toEqual(first);
  expect(await beginRebuild(context, { attemptId: 'other' })).toEqual({ kind: 'under_way' });
});

test('a generation that is not greater than the last one published is superseded, even while the gate is closed', async () => {
  await open(under.gate, { token: tokenOf(7) });
  await under.gate.close(tokenOf(7));
  const ticket = await begin(under.gate);
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(6) }))).toBe('superseded');
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(7) }))).toBe('superseded');
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(8) }))).toBe('published');
});

test('a Postgres that was failed over opens the gate though its generation went back, and the old one no longer does', async () => {
  await open(under.gate, { token: tokenOf(7, '00000009') });
  await under.gate.close(tokenOf(7, '00000009'));
  const ticket = await begin(under.gate);
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(3, '0000000A') }))).toBe('published');
  expect(await under.gate.publish(ticket, snapshotOf({ token: tokenOf(9, '00000009') }))).toBe('superseded');
});

test('the second delivery of a publish changes nothing that came after the first', async () => {
  const ticket = await begin(under.gate);
  const snapshot = snapshotOf({ accounts: [limitsOf(accountId)] });
  await under.gate.publish(ticket, snapshot);
  const hold = newHold();
  await under.gate.reserve(hold);
  expect(await under.gate.publish(ticket, snapshot)).toBe('published');
  expect(await collect(under.gate.holds())).toMatchObject([hold]);
  expect((await under.redis.keys('*')).filter((key) => key.includes('staged'))).toEqual([]);
});

test('a publish that began before a flush is superseded, even while another rebuild is under way', async () => {
  const stale = await begin(under.gate);
  await under.redis.flushdb();
  expect(await under.gate.publish(stale, snapshotOf({ token: tokenOf(5) }))).toBe('superseded');
  await begin(under.gate);
  expect(await under.gate.publish(stale, snapshotOf({ token: tokenOf(5) }))).toBe('superseded');
  expect((await under.gate.state()).open).toBe(false);
});

test.each(['runId', 'replicationId'] as const)(
  'a gate copied from another Redis (%s) is closed until rebuilt',
  async (field) => {
    await open(under.gate, { token: tokenOf(5), accounts: [limitsOf(accountId)] });
    await becomeForeign(field);
    expect(await under.gate.state()).toMatchObject({ open: false, token: null });
    expect(await under.gate.reserve(newHold())).toEqual({ kind: 'closed' });
    expect(await collect(under.gate.accounts())).toEqual([]);
    await open(under.gate, { token: tokenOf(6) });
    expect(await under.gate.state()).toMatchObject({ open: true, token: tokenOf(6) });
  },
);

test('a publish that began on another Redis is superseded', async () => {
  const ticket = await begin(under.gate);
  await becomeForeign('runId');
  expect(await under.gate.publish(ticket, snapshotOf())).toBe('superseded');
  await begin(under.gate);
  expect(await under.gate.publish(ticket, snapshotOf())).toBe('superseded');
});

test("another Redis's mark does not hold a rebuild back", async () => {
  await begin(under.gate);
  await becomeForeign('runId');
  expect(await under.gate.beginRebuild()).toMatchObject({ kind: 'begun' });
});

test('closing shuts the gate under that token alone', async () => {
  await open(under.gate, { token: tokenOf(5) });
  await under.gate.close(tokenOf(4));
  expect((await under.gate.state()).open).toBe(true);
  await under.gate.close(tokenOf(5));
  expect((await under.gate.state()).open).toBe(false);
});

test('a balance read before a rebuild is not loaded after it', async () => {
  await open(under.gate, { token: tokenOf(1) });
  const unknown = await under.gate.reserve(newHold());
  await under.gate.close(tokenOf(1));
  await open(under.gate, { token: tokenOf(2) });
  expect(unknown).toEqual({ kind: 'account_unknown', token: tokenOf(1) });
  expect(await under.gate.loadAccount(tokenOf(1), limitsOf(accountId))).toBe('closed');
  expect(await collect(under.gate.accounts())).toEqual([]);
});

test('a publish replaces all contents: nothing of the earlier ones survives', async () => {
  const gone = newAccountId();
  const goneHold = { ...newHold(), accountId: gone };
  await open(under.gate, { token: tokenOf(1), accounts: [limitsOf(gone)], holds: [goneHold] });
  await under.gate.close(tokenOf(1));
  const kept = newHold();
  await open(under.gate, { token: tokenOf(2), accounts: [limitsOf(accountId)], holds: [kept] });
  expect(await collect(under.gate.holds())).toMatchObject([kept]);
  expect(await collect(under.gate.accounts())).toEqual([limitsOf(accountId)]);
  await under.gate.close(tokenOf(2));
  await open(under.gate, { token: tokenOf(3) });
  expect(await under.redis.keys('*')).toEqual([gateKeys().gate]);
});

test('holds that were published count against funds and slots, and are released like any other', async () => {
  const hold = newHold();
  const accounts = [limitsOf(accountId, { balanceMicros: micros(150), capacity: 2 })];
  await open(under.gate, { accounts, holds: [hold] });
  expect(await under.gate.reserve(newHold())).toEqual({ kind: 'insufficient_funds', availableMicros: 50n });
  expect(await under.gate.release(hold)).toBe('released');
  expect(await under.gate.reserve(newHold())).toMatchObject({ kind: 'reserved' });
});

test('what was published does not expire, and what was superseded leaves no stage behind', async () => {
  await open(under.gate, { token: tokenOf(2), accounts: [limitsOf(accountId)], holds: [newHold()] });
  const keys = gateKeys();
  expect(await Promise.all([keys.gate, keys.holds, keys.accounts].map((key) => under.redis.ttl(key)))).toEqual([
    -1, -1, -1,
  ]);
  await under.gate.close(tokenOf(2));
  const superseded = snapshotOf({ token: tokenOf(1), accounts: [limitsOf(accountId)], holds: [newHold()] });
  expect(await under.gate.publish(await begin(under.gate), superseded)).toBe('superseded');
  expect((await under.redis.keys('*')).toSorted()).toEqual([keys.accounts, keys.gate, keys.holds]);
});

test.each([
  ['holds', { holdCount: 1, accountCount: 0 }],
  ['accounts', { holdCount: 0, accountCount: 1 }],
])('a stage whose %s were lost on the way does not open the gate', async (_lost, counts) => {
  const ticket = await begin(under.gate);
  const { token, system } = snapshotOf();
  const context = { redis: under.redis, keys: gateKeys() };
  expect(await publish(context, { attemptId: 'expired', ticket, token, system, ...counts })).toBe('superseded');
  expect((await under.gate.state()).open).toBe(false);
});

test('a snapshot that contradicts itself is refused before anything is written', async () => {
  const ticket = await begin(under.gate);
  const hold = newHold();
  const accounts = [limitsOf(accountId)];
  const publishing = (changes: Parameters<typeof snapshotOf>[0]) => under.gate.publish(ticket, snapshotOf(changes));
  await expect(publishing({ holds: [hold] })).rejects.toThrow('without its account');
  await expect(publishing({ accounts, holds: [hold, hold] })).rejects.toThrow(
    `call ${hold.callId} is in the snapshot twice`,
  );
  await expect(publishing({ accounts: [...accounts, ...accounts] })).rejects.toThrow('is in the snapshot twice');
  expect(await under.redis.keys('*')).toEqual([gateKeys().gate]);
});
