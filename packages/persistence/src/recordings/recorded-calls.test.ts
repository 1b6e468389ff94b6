import { micros, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, newCallId, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createDriveStore } from '../drive/drive-store.ts';
import { createRecordedCalls } from './recorded-calls.ts';

let world: World;
let party: Party;
let recordedCalls: ReturnType<typeof createRecordedCalls>;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
  recordedCalls = createRecordedCalls(world.database);
});
afterAll(() => world.close());

interface Ending {
  readonly recordingKey?: string | null;
  readonly answered?: boolean;
}

/** A call of `WORKER` that has ended, in an installation that uploads recordings. */
async function endedCall({ recordingKey = 'ab/1.wav', answered = true }: Ending = {}): Promise<CallId> {
  const call = await world.claimed(party);
  const drives = createDriveStore(world.database, { uploadsRecordings: true });
  const unanswered = { answeredAtMs: null, answeredBy: null, charge: { billableSeconds: 0, costMicros: micros(0) } };
  await drives.settle(settlementOf(call, { recordingKey, ...(answered ? {} : unanswered) }));
  return call.id;
}

async function recordingOf(callId: CallId) {
  const call = await world.reader.find(party.accountId, callId);
  const status = call?.status === 'ended' ? call.recordingStatus : 'not ended';
  return [status, await world.reader.recordingKey(party.accountId, callId)];
}

async function endedDaysAgo(callId: CallId, days: number): Promise<void> {
  await world.database.side.$executeRaw`
    UPDATE calls SET created_at = created_at - make_interval(days => ${days}::int),
      started_at = started_at - make_interval(days => ${days}::int),
      answered_at = answered_at - make_interval(days => ${days}::int),
      ended_at = ended_at - make_interval(days => ${days}::int) WHERE id = ${callId}::uuid`;
}

describe('a recording that is to be uploaded', () => {
  test('is pending until it is in the store, then available', async () => {
    const callId = await endedCall();
    expect(await recordingOf(callId)).toEqual(['pending', 'ab/1.wav']);
    await recordedCalls.markStored({ callId, key: 'ab/1.wav' });
    expect(await recordingOf(callId)).toEqual(['available', 'ab/1.wav']);
  });

  test('is none if nothing was in it', async () => {
    const callId = await endedCall();
    await recordedCalls.markMissing(callId);
    expect(await recordingOf(callId)).toEqual(['none', null]);
  });

  test('that is in the store already stays, whatever is found missing later', async () => {
    const callId = await endedCall();
    await recordedCalls.markStored({ callId, key: 'ab/1.wav' });
    await recordedCalls.markMissing(callId);
    expect(await recordingOf(callId)).toEqual(['available', 'ab/1.wav']);
  });

  test('is available also if whoever ended the call did not know of it', async () => {
    const callId = await endedCall({ recordingKey: null });
    expect(await recordingOf(callId)).toEqual(['none', null]);
    await recordedCalls.markStored({ callId, key: 'ab/late.wav' });
    expect(await recordingOf(callId)).toEqual(['available', 'ab/late.wav']);
  });

  test('without an upload is available at once', async () => {
    const call = await world.claimed(party);
    await world.drives.settle(settlementOf(call, { recordingKey: 'ab/1.wav' }));
    expect(await recordingOf(call.id)).toEqual(['available', 'ab/1.wav']);
  });

  test('is never pending without a place: Postgres itself refuses that', async () => {
    const callId = await endedCall();
    await expect(
      world.database.side.$executeRaw`UPDATE calls SET recording_key = NULL WHERE id = ${callId}::uuid`,
    ).rejects.toThrow('calls_recording_pending_check');
  });
});

const asked = (callIds: readonly CallId[], workerId: string, othersAfterMs: number) =>
  recordedCalls.ended({ callIds, workerId, othersAfterMs });

describe('whose recordings may be touched', () => {
  test('those of the worker’s own ended calls at once, those of others only after a while', async () => {
    const callId = await endedCall();
    expect(await asked([callId], WORKER, 60_000)).toEqual([{ callId, isRecorded: true }]);
    expect(await asked([callId], 'another', 60_000)).toEqual([]);
    expect(await asked([callId], 'another', 0)).toEqual([{ callId, isRecorded: true }]);
  });

  test('never those of calls that go on, or that nobody knows', async () => {
    const open = await world.claimed(party);
    expect(await asked([open.id, newCallId()], WORKER, 0)).toEqual([]);
  });

  test('what lies there of a call that nobody answered is no recording', async () => {
    const callId = await endedCall({ recordingKey: null, answered: false });
    expect(await asked([callId], WORKER, 0)).toEqual([{ callId, isRecorded: false }]);
  });
});

describe('retention', () => {
  test('makes old calls say none and names them, and leaves younger, open and unknown ones alone', async () => {
    const [old, young, pending, silent] = [
      await endedCall(),
      await endedCall(),
      await endedCall(),
      await endedCall({ recordingKey: null }),
    ];
    const open = await world.claimed(party);
    await recordedCalls.markStored({ callId: old, key: 'ab/1.wav' });
    for (const callId of [old, pending, silent]) await endedDaysAgo(callId, 31);
    await endedDaysAgo(young, 29);
    const callIds = [old, young, pending, silent, open.id, newCallId()];
    const expired = await recordedCalls.expire({ callIds, retentionDays: 30 });
    // Also one that says none already: a walk that was cut short may have left its sound in the store.
    expect(expired.toSorted()).toEqual([old, pending, silent].toSorted());
    for (const callId of [old, pending, silent]) expect(await recordingOf(callId)).toEqual(['none', null]);
    expect(await recordingOf(young)).toEqual(['pending', 'ab/1.wav']);
  });

  test('may be walked by several workers at once', async () => {
    const callIds = await Promise.all(Array.from({ length: 20 }, () => endedCall()));
    for (const callId of callIds) await endedDaysAgo(callId, 8);
    const walks = [callIds, callIds.toReversed(), callIds].map((batch) =>
      recordedCalls.expire({ callIds: batch, retentionDays: 7 }),
    );
    for (const expired of await Promise.all(walks)) expect(expired.toSorted()).toEqual(callIds.toSorted());
  });
});
