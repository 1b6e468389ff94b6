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

/** An ended call of `WORKER`, in an installation that uploads recordings. */
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

  test('is none if it was empty', async () => {
    const callId = await endedCall();
    await recordedCalls.markMissing(callId);
    expect(await recordingOf(callId)).toEqual(['none', null]);
  });

  test('that is already in the store stays, even if it is reported missing later', async () => {
    const callId = await endedCall();
    await recordedCalls.markStored({ callId, key: 'ab/1.wav' });
    await recordedCalls.markMissing(callId);
    expect(await recordingOf(callId)).toEqual(['available', 'ab/1.wav']);
  });

  test('is available even if the worker that ended the call did not know of it', async () => {
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

  test('is never pending without a key: a CHECK in Postgres enforces it', async () => {
    const callId = await endedCall();
    await expect(
      world.database.side.$executeRaw`UPDATE calls SET recording_key = NULL WHERE id = ${callId}::uuid`,
    ).rejects.toThrow('calls_recording_pending_check');
  });
});

const endedRecordings = (callIds: readonly CallId[], workerId: string, othersAfterMs: number) =>
  recordedCalls.ended({ callIds, workerId, othersAfterMs });

describe('the calls whose recordings a worker may process', () => {
  test('are its own ended calls at once, and those of other workers after a delay', async () => {
    const callId = await endedCall();
    expect(await endedRecordings([callId], WORKER, 60_000)).toEqual([{ callId, isRecorded: true, traceParent: null }]);
    expect(await endedRecordings([callId], 'another', 60_000)).toEqual([]);
    expect(await endedRecordings([callId], 'another', 0)).toEqual([{ callId, isRecorded: true, traceParent: null }]);
  });

  test('never include open or unknown calls', async () => {
    const open = await world.claimed(party);
    expect(await endedRecordings([open.id, newCallId()], WORKER, 0)).toEqual([]);
  });

  test('mark the file of an unanswered call as no recording', async () => {
    const callId = await endedCall({ recordingKey: null, answered: false });
    expect(await endedRecordings([callId], WORKER, 0)).toEqual([{ callId, isRecorded: false, traceParent: null }]);
  });
});

describe('retention', () => {
  test('sets old calls to none and returns them, and skips younger, open and unknown ones', async () => {
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
    // Also one that is none already: a run that was interrupted may have left its file in the store.
    expect(expired.toSorted()).toEqual([old, pending, silent].toSorted());
    for (const callId of [old, pending, silent]) expect(await recordingOf(callId)).toEqual(['none', null]);
    expect(await recordingOf(young)).toEqual(['pending', 'ab/1.wav']);
  });

  test('may run on several workers at once', async () => {
    const callIds = await Promise.all(Array.from({ length: 20 }, () => endedCall()));
    for (const callId of callIds) await endedDaysAgo(callId, 8);
    const walks = [callIds, callIds.toReversed(), callIds].map((batch) =>
      recordedCalls.expire({ callIds: batch, retentionDays: 7 }),
    );
    for (const expired of await Promise.all(walks)) expect(expired.toSorted()).toEqual(callIds.toSorted());
  });
});
