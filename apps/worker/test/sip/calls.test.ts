import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trunkOf } from '@outdial/calls/testing';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { createAdministration } from '@outdial/persistence';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openStage, type Stage } from '../stage.ts';

const FRIENDLY = '+12025550100';
const BUSY = '+12025550101';
const IMPATIENT = '+12025550105';
const SILENT = '+12025550108';

/** A conversation in real time, and processes that start on a busy machine. */
const LIMIT_MS = 120_000;
const WAV_HEADER_BYTES = 44;
/** Above this level there is speech: silence on a trunk is quiet to the last bit or two. */
const AUDIBLE = 500;

let stage: Stage;
let callee: ChildCallee;
beforeAll(async () => {
  stage = await openStage();
  callee = await startChildCallee({ OUTDIAL_CALLEE_RTP_PORTS: '24400-24599' });
  await createAdministration(stage.database, { actor: 'test' }).trunks.add({
    ...trunkOf({ name: 'callee', uri: callee.uri, callsPerSecond: 10 }),
    credentials: null,
  });
});
afterEach(killChildWorkers);
afterAll(async () => {
  await callee.close();
  await stage.close();
});

const environment = (env: Readonly<Record<string, string>> = {}) =>
  stage.environment({
    OUTDIAL_CARRIER: 'sip',
    SIP_PORT: '0',
    SIP_RTP_PORTS: '24600-24799',
    OUTDIAL_SECRET_KEY: '7a'.repeat(32),
    ...env,
  });

/** The loudest sample of the callee (left) and of the agent (right). */
async function loudnessOf(id: CallId): Promise<{ readonly callee: number; readonly agent: number }> {
  const wav = await readFile(join(stage.dataDir, 'recordings', id.slice(-2), `${id}.wav`));
  const loudest = { callee: 0, agent: 0 };
  for (let at = WAV_HEADER_BYTES; at + 4 <= wav.length; at += 4) {
    loudest.callee = Math.max(loudest.callee, Math.abs(wav.readInt16LE(at)));
    loudest.agent = Math.max(loudest.agent, Math.abs(wav.readInt16LE(at + 2)));
  }
  return loudest;
}

test(
  'a worker over SIP has a conversation, a busy callee, and a hang-up, each with the code of the far end',
  async () => {
    const worker = startChildWorker(environment());
    await worker.said('taking calls');
    const ids = await Promise.all([FRIENDLY, BUSY, IMPATIENT].map((number) => stage.place(number)));
    const calls = await Promise.all(ids.map((id) => stage.untilEnded(id)));
    expect(calls).toMatchObject([
      { endedReason: 'agent_hangup', answeredBy: 'human', sipCode: 200, recordingStatus: 'available' },
      { endedReason: 'busy', sipCode: 486, costMicros: 0n },
      { endedReason: 'callee_hangup', sipCode: 200, recordingStatus: 'available' },
    ]);
    const [friendly, , impatient] = calls;
    invariant(friendly && impatient, 'three calls were placed');
    const sound = { friendly: await loudnessOf(friendly.id), impatient: await loudnessOf(impatient.id) };
    expect(sound.friendly.callee).toBeGreaterThan(AUDIBLE);
    expect(sound.friendly.agent).toBeGreaterThan(AUDIBLE);
    // The callee hangs up without speaking.
    expect(sound.impatient.callee).toBeLessThan(AUDIBLE);
    expect(sound.impatient.agent).toBeGreaterThan(AUDIBLE);
    expect(await audit(stage)).toEqual(AT_REST);
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
  },
  LIMIT_MS,
);

test(
  'a stopping worker over SIP hangs up and settles the remaining calls',
  async () => {
    const worker = startChildWorker(environment());
    await worker.said('taking calls');
    const callId = await stage.place(SILENT, { patient: true });
    expect(await stage.until(callId, 'in_progress')).toMatchObject({ status: 'in_progress' });
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
    expect(await stage.find(callId)).toMatchObject({ status: 'ended', endedReason: 'worker_lost' });
    expect(await audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test(
  'a worker whose media thread is lost ends and settles its calls, and exits with an error',
  async () => {
    const thread = join(stage.dataDir, 'end-the-thread');
    const preload = new URL('../end-media-thread.mjs', import.meta.url).href;
    const worker = startChildWorker(environment({ NODE_OPTIONS: `--import=${preload}`, TEST_END_THREAD_FILE: thread }));
    await worker.said('taking calls');
    const callId = await stage.place(SILENT, { patient: true });
    expect(await stage.until(callId, 'in_progress')).toMatchObject({ status: 'in_progress' });
    await writeFile(thread, '');
    await worker.said('stopping after a defect');
    expect(await worker.exited()).toBe(1);
    expect(await stage.find(callId)).toMatchObject({ status: 'ended', endedReason: 'agent_error' });
    expect(await audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test.each([
  ['a missing secret key', { OUTDIAL_SECRET_KEY: '' }, /^OUTDIAL_SECRET_KEY is not set, and .*secret-key cannot/],
  ['no public address', { SIP_LISTEN_ADDRESS: '0.0.0.0' }, /^SIP_PUBLIC_ADDRESS is not set/],
  ['a port for TLS without a certificate', { SIP_TLS_PORT: '0' }, /^SIP_TLS_CERT is not set: to listen for TLS/],
  ['an address of another machine', { SIP_LISTEN_ADDRESS: '192.0.2.1' }, /SIP_PORT: 192\.0\.2\.1:0 cannot be listened/],
  [
    'an invalid range',
    { SIP_RTP_PORTS: '20001-20000' },
    /SIP_RTP_PORTS=20001-20000 cannot be used: it must be an even port from 1024 on/,
  ],
])('stops the start with one sentence at %s', async (_, given, complaint) => {
  const child = startChildWorker(environment(given));
  expect(await child.complaint()).toMatch(complaint);
  expect(await child.complaint()).not.toMatch(/^ +at /m);
  expect(await child.exited()).toBe(1);
});
