import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { trunkOf } from '@outdial/calls/testing';
import { systemClock, type Clock } from '@outdial/kernel';
import { createAdministration } from '@outdial/persistence';
import { plainSdp, RawFarEnd, SDP_FIELD, type RawRequest } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { readRecording } from '../recording.ts';
import { openStage, type Stage } from '../stage.ts';
import { openTrunkWorker, type TrunkWorker } from '../trunk-worker.ts';

const NUMBER = '+12025550143';
/** The acceleration of SIP's clock: at 45, a refresh due after 45 s comes after one. */
const hurried = (times: number): Clock => ({
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs() * times,
  after: (delayMs, run) => systemClock.after(delayMs / times, run),
});
const REFRESHED_BY_US = ['Session-Expires: 90;refresher=uac', 'Require: timer', 'Allow: INVITE, ACK, BYE, UPDATE'];

let stage: Stage;
let worker: TrunkWorker;
const farEnds: RawFarEnd[] = [];
beforeAll(async () => {
  stage = await openStage();
  worker = await openTrunkWorker(stage, 'one', { clock: hurried(45) });
});
afterEach(async () => {
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  for (const { name } of await trunks.list()) await trunks.remove(name);
  for (const farEnd of farEnds.splice(0)) await farEnd.close();
});
afterAll(async () => {
  await worker.close();
  await stage.close();
});

/** Answers every call; the test decides how to answer all other requests. */
async function trunkThat(name: string, otherwise: (request: RawRequest) => void, by = worker) {
  const farEnd = await RawFarEnd.open((request, { contact }) => {
    if (request.method === 'INVITE' && !/^To:.*;tag=/im.test(request.text))
      request.reply('200 OK', { fields: [contact, ...REFRESHED_BY_US, SDP_FIELD], body: plainSdp(9) });
    else otherwise(request);
  });
  farEnds.push(farEnd);
  const { trunks } = createAdministration(stage.database, { actor: 'test' });
  await trunks.add({ ...trunkOf({ name, uri: farEnd.uri, codecs: ['PCMU'] }), credentials: null });
  await by.seesTrunks([name]);
}

const confirmsBye = (request: RawRequest) => request.method === 'BYE' && request.reply('200 OK');

async function chargeOf(callId: string): Promise<bigint | undefined> {
  const [entry] = await stage.database.side.$queryRaw<{ micros: bigint }[]>`
    SELECT amount_micros AS micros FROM ledger_entries WHERE call_id = ${callId}::uuid AND kind = 'call_charge'`;
  return entry?.micros;
}

/** The rates of the stage: 1,000 for the connection, and 12,000 a minute, billed by the second. */
const costOf = (seconds: number) => 1_000n + BigInt(seconds) * 200n;

test.each([
  ['no longer knows the call', (request: RawRequest) => request.method === 'UPDATE' && request.reply('481 Gone')],
  ['rejects every refresh', (request: RawRequest) => request.method === 'UPDATE' && request.reply('500 Broken')],
  ['answers no refresh', () => undefined],
] as const)(
  'an answered call whose far end %s is charged for its talk time, and is not marked for a retry',
  async (_, refresh) => {
    await trunkThat('drops', (request) => {
      refresh(request);
      confirmsBye(request);
    });
    const callId = await stage.place(NUMBER);
    await worker.drive(callId);
    const call = await stage.untilEnded(callId);
    expect(call).toMatchObject({ endedReason: 'connection_lost' });
    const talkedSeconds = Math.ceil((call.endedAtMs - (call.answeredAtMs ?? 0)) / 1_000);
    expect(talkedSeconds).toBeGreaterThanOrEqual(1);
    expect(call.billableSeconds).toBe(talkedSeconds);
    expect(call.costMicros).toBe(costOf(talkedSeconds));
    expect(await chargeOf(callId)).toBe(-costOf(talkedSeconds));
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
);

async function recordedMsOf(callId: string): Promise<number> {
  const [call] = await stage.database.side.$queryRaw<{ key: string }[]>`
    SELECT recording_key AS key FROM calls WHERE id = ${callId}::uuid`;
  const wav = await readFile(join(stage.dataDir, 'recordings', call?.key ?? ''));
  return readRecording(wav).agent.lengthMs;
}

/**
 * How long the worker waits for the answer to a BYE: 32 s of SIP's clock. A stalled machine loses less of a recording.
 */
const BYE_WAIT_MS = 1_600;

test('a call whose BYE the far end ignores is recorded for as long as it is billed, even at the maximum duration', async () => {
  const patient = await openTrunkWorker(stage, 'two', { clock: hurried(32_000 / BYE_WAIT_MS) });
  try {
    const refreshed = new Set<string | undefined>();
    const bothTalk = new EventEmitter();
    await trunkThat(
      'deaf',
      (request) => {
        if (request.method !== 'UPDATE') return;
        request.reply('200 OK', { fields: REFRESHED_BY_US });
        refreshed.add(/^Call-ID: *(.*)$/im.exec(request.text)?.[1]);
        if (refreshed.size === 2) bothTalk.emit('refreshed');
      },
      patient,
    );
    // A call that is hung up within its first 20 ms has no recording.
    const talking = once(bothTalk, 'refreshed');
    const [ended, longest] = [await stage.place(NUMBER), await stage.place(NUMBER, { maxDurationSeconds: 5 })];
    const driving = [ended, longest].map((callId) => patient.drive(callId));
    await talking;
    await stage.end(ended);
    patient.driver.endRequested(ended);
    await Promise.all(driving);
    for (const [callId, endedReason] of [
      [ended, 'hung_up_by_api'],
      [longest, 'max_duration_reached'],
    ] as const) {
      const call = await stage.untilEnded(callId);
      expect(call).toMatchObject({ endedReason, recordingStatus: 'available' });
      const talkedMs = call.endedAtMs - (call.answeredAtMs ?? 0);
      expect(Math.abs((await recordedMsOf(callId)) - talkedMs)).toBeLessThan(BYE_WAIT_MS / 4);
    }
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  } finally {
    await patient.close();
  }
});
