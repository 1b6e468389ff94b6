import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trunkOf } from '@outdial/calls/testing';
import type { CallId } from '@outdial/contracts';
import { createLogger, EnvError, invariant, systemClock } from '@outdial/kernel';
import { createAdministration } from '@outdial/persistence';
import { createFileRecordings } from '@outdial/recordings';
import { claimRtpPorts, type ClaimedRtpPorts } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NO_CALL_MODELS } from '../no-call-models.ts';
import { AT_REST, audit } from '../audit.ts';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openStage, type Stage } from '../stage.ts';
import { composeSip } from '../../src/compose/sip.ts';
import { readConfig } from '../../src/settings/config.ts';

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
let ports: ClaimedRtpPorts;
beforeAll(async () => {
  stage = await openStage();
  ports = await claimRtpPorts();
  callee = await startChildCallee({});
  await createAdministration(stage.database, { actor: 'test' }).trunks.add({
    ...trunkOf({ name: 'callee', uri: callee.uri, callsPerSecond: 10 }),
    credentials: null,
  });
});
afterEach(killChildWorkers);
afterAll(async () => {
  await callee.close();
  await ports.release();
  await stage.close();
});

const environment = (env: Readonly<Record<string, string>> = {}) =>
  stage.environment({
    OUTDIAL_CARRIER: 'sip',
    SIP_PORT: '0',
    SIP_RTP_PORTS: ports.range,
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
  'a worker over SIP has a conversation, a busy callee, and a hang-up, each with the code of the far end; stopping, it hangs up and settles the remaining call',
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
    await expect.poll(() => audit(stage)).toEqual(AT_REST);

    const callId = await stage.place(SILENT, { patient: true });
    expect(await stage.until(callId, 'in_progress')).toMatchObject({ status: 'in_progress' });
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
    expect(await stage.find(callId)).toMatchObject({ status: 'ended', endedReason: 'worker_lost' });
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
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
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

const UNUSABLE: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['a missing secret key', { OUTDIAL_SECRET_KEY: '' }, /^OUTDIAL_SECRET_KEY is not set, and .*secret-key cannot/],
  ['no public address', { SIP_LISTEN_ADDRESS: '0.0.0.0' }, /^SIP_PUBLIC_ADDRESS is not set/],
  ['a port for TLS without a certificate', { SIP_TLS_PORT: '0' }, /^SIP_TLS_CERT is not set: to listen for TLS/],
  [
    'an invalid range',
    { SIP_RTP_PORTS: '20001-20000' },
    /^SIP_RTP_PORTS=20001-20000 cannot be used: it must be an even port from 1024 on/,
  ],
];

test.each(UNUSABLE)('reports %s as an error of the settings', async (_, given, sentence) => {
  const opening = async () =>
    composeSip({
      config: readConfig(environment(given)),
      database: stage.database,
      redis: stage.redis,
      recordings: createFileRecordings({ directory: stage.dataDir, onError: () => undefined }),
      credentials: { open: async () => [], openSecrets: async () => new Map() },
      calls: NO_CALL_MODELS,
      workerId: 'one',
      clock: systemClock,
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
  const error: unknown = await opening().catch((thrown: unknown) => thrown);
  invariant(error instanceof EnvError, 'the setting cannot be used');
  expect(error.message).toMatch(sentence);
});

test('such an error stops the start with one sentence', async () => {
  const child = startChildWorker(environment({ SIP_LISTEN_ADDRESS: '192.0.2.1' }));
  expect(await child.complaint()).toMatch(/^SIP_PORT: the worker cannot listen on 192\.0\.2\.1:0.*\n$/);
  expect(await child.exited()).toBe(1);
});
