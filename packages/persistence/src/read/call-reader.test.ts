import { micros } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, newCallId, settlementOf, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** An ended call with a recording, requested by another account, and a call that does not exist. */
async function unknownCalls() {
  const call = await world.claimed(await world.party());
  await world.drives.settle(settlementOf(call, { recordingKey: 'ab/1.wav' }));
  const { accountId } = await world.party();
  return [call.id, newCallId()].map((callId) => ({ accountId, callId }));
}

describe('a call of another account is unknown, like one that never existed', () => {
  test('find', async () => {
    for (const { accountId, callId } of await unknownCalls())
      expect(await world.reader.find(accountId, callId)).toBeNull();
  });
  test('events', async () => {
    for (const { accountId, callId } of await unknownCalls())
      expect(await world.reader.events(accountId, callId)).toBeNull();
  });
  test('recordingKey', async () => {
    for (const { accountId, callId } of await unknownCalls()) {
      expect(await world.reader.recordingKey(accountId, callId)).toBeNull();
    }
  });
  test('saveReviewNote, which leaves it unchanged', async () => {
    const owner = await world.party();
    const stranger = await world.party();
    const call = await world.queued(owner);
    expect(await world.reader.saveReviewNote(stranger.accountId, call.id, 'mine')).toBeNull();
    expect(await world.reader.find(owner.accountId, call.id)).toEqual(call);
  });
});

test('a review note can be saved in any state, and removed', async () => {
  const party = await world.party();
  const call = await world.queued(party);
  const noted = { ...call, reviewNote: 'Call again — “later”' };
  expect(await world.reader.saveReviewNote(party.accountId, call.id, noted.reviewNote)).toEqual(noted);
  expect(await world.reader.find(party.accountId, call.id)).toEqual(noted);
  expect(await world.reader.saveReviewNote(party.accountId, call.id, null)).toEqual(call);
});

test('an open call has no recording yet', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  expect(await world.reader.recordingKey(party.accountId, call.id)).toBeNull();
});

test('the overview counts open calls and their holds', async () => {
  const party = await world.party();
  const open = [await world.queued(party), await world.claimed(party)];
  const ended = await world.claimed(party);
  await world.drives.settle(settlementOf(ended));
  expect(await world.reader.overview(party.accountId, null)).toEqual({
    id: party.accountId,
    name: 'Acme',
    currency: 'USD',
    balanceMicros: 999_983_000n,
    heldMicros: 58_000n,
    capacity: 10,
    openCalls: open.length,
  });
  const use = { heldMicros: micros(5), openCalls: 7 };
  expect(await world.reader.overview(party.accountId, use)).toMatchObject({ balanceMicros: 999_983_000n, ...use });
  const { accountId } = await world.party(7);
  expect(await world.reader.overview(accountId, null)).toMatchObject({
    balanceMicros: 7n,
    heldMicros: 0n,
    openCalls: 0,
  });
});
