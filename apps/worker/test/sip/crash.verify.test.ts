import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trunkOf } from '@outdial/calls/testing';
import { type CallId } from '@outdial/contracts';
import { createAdministration } from '@outdial/persistence';
import { claimRtpPorts, startSipp, type ClaimedRtpPorts, type Sipp } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openStage, type Stage } from '../stage.ts';

const RINGS = '+12025550102';
const SILENT = '+12025550108';
/** A lease, a sweep, the uptime that Postgres needs before a take-over, and processes that start on a busy machine. */
const LIMIT_MS = 400_000;
const WAV_HEADER_BYTES = 44;
const AUDIBLE = 500;
const SIPP = { transport: 'udp', patienceSeconds: 390 } as const;

let stage: Stage;
let callee: ChildCallee;
let journal: string;
let ports: ClaimedRtpPorts;
const sipps: Sipp[] = [];
beforeAll(async () => {
  stage = await openStage();
  ports = await claimRtpPorts();
  journal = join(stage.dataDir, 'journal.jsonl');
  // A dead worker sends nothing: the BYE that ends the call must come from another worker.
  callee = await startChildCallee({
    OUTDIAL_CALLEE_NO_AUDIO_SECONDS: '0',
    OUTDIAL_CALLEE_JOURNAL: journal,
  });
});
afterEach(killChildWorkers);
afterAll(async () => {
  for (const sipp of sipps) await sipp.stop();
  await callee.close();
  await ports.release();
  await stage.close();
});

/** Trunks are filled in this order: this many calls go to each. */
async function addTrunk(
  name: string,
  { uri, channels, priority }: Readonly<Record<'channels' | 'priority', number>> & { readonly uri: string },
) {
  await createAdministration(stage.database, { actor: 'test' }).trunks.add({
    // SIPp would treat an OPTIONS as a call that went wrong.
    ...trunkOf({ name, uri, channels, callsPerSecond: 50, codecs: ['PCMU'], priority, healthCheck: 'none' }),
    credentials: null,
  });
}

const uriOf = ({ port }: Sipp): string => `sip:127.0.0.1:${port}`;

async function openSipp(scenario: string): Promise<Sipp> {
  const sipp = await startSipp({ ...SIPP, scenario });
  sipps.push(sipp);
  return sipp;
}

/** Restarted as by a supervisor, on the same ports. SIPp answers later senders at the address of the first one. */
function startWorker() {
  return startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '25690',
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
    }),
    QUICK_LEASES,
  );
}

const recordingOf = async (id: CallId): Promise<Buffer> =>
  readFile(join(stage.dataDir, 'recordings', id.slice(-2), `${id}.wav`)).catch(() => Buffer.alloc(0));

/** Resolves once the agent's speech is on the disk. */
async function untilHeard(id: CallId): Promise<void> {
  while (loudestOf(await recordingOf(id)) < AUDIBLE) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** How calls ended for the callee, by the dialed number. */
async function endsAtTheCallee(): Promise<ReadonlyMap<string, unknown>> {
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  const entries: readonly { to: string; event: string; by?: string; detail?: string }[] = lines.map((line) =>
    JSON.parse(line),
  );
  return new Map(entries.filter(({ event }) => event === 'ended').map(({ to, by, detail }) => [to, { by, detail }]));
}

async function place(number: string, reached: 'ringing' | 'in_progress'): Promise<CallId> {
  const id = await stage.place(number, { patient: true, ringTimeoutSeconds: 120 });
  expect(await stage.until(id, reached)).toMatchObject({ status: reached });
  return id;
}

test(
  'a worker is killed while calls ring and talk: every far end is hung up, the calls end worker_lost, and their recordings play',
  async () => {
    const [ringing, talking] = [await openSipp('rings_for_an_orphan'), await openSipp('answers')];
    await addTrunk('callee', { uri: callee.uri, channels: 2, priority: 1 });
    await addTrunk('sipp-rings', { uri: uriOf(ringing), channels: 1, priority: 2 });
    await addTrunk('sipp-talks', { uri: uriOf(talking), channels: 1, priority: 3 });
    const doomed = startWorker();
    await doomed.said('taking calls');
    // One after the other: each has its trunk before the next one is placed.
    const rings = [await place(RINGS, 'ringing')];
    const talks = [await place(SILENT, 'in_progress')];
    rings.push(await place(RINGS, 'ringing'));
    talks.push(await place(SILENT, 'in_progress'));
    for (const id of talks) await untilHeard(id);
    doomed.signal('SIGKILL');
    await doomed.exited();

    const next = startWorker();
    const lostRinging = await Promise.all(rings.map((id) => stage.untilEnded(id)));
    const lostTalking = await Promise.all(talks.map((id) => stage.untilEnded(id)));
    for (const call of lostRinging) expect(call).toMatchObject({ endedReason: 'worker_lost', costMicros: 0n });
    for (const call of lostTalking) {
      expect(call).toMatchObject({ endedReason: 'worker_lost', recordingStatus: 'available' });
    }
    // SIPp only exits successfully if CANCEL and BYE arrived.
    for (const sipp of [ringing, talking]) expect(await sipp.finished()).toEqual({ code: 0, complaints: '' });
    expect(await endsAtTheCallee()).toEqual(
      new Map([
        [RINGS, { by: 'caller', detail: 'CANCEL' }],
        [SILENT, { by: 'caller', detail: 'BYE' }],
      ]),
    );
    for (const id of talks) expectPlayable(await recordingOf(id));
    next.signal('SIGTERM');
    expect(await next.exited()).toBe(0);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

/** The header covers every sample, and the agent is audible in them. */
function expectPlayable(wav: Buffer): void {
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
  expect(wav.readUInt32LE(40)).toBe(wav.length - WAV_HEADER_BYTES);
  expect(loudestOf(wav)).toBeGreaterThanOrEqual(AUDIBLE);
}

/** The agent's loudest sample: the right side. */
function loudestOf(wav: Buffer): number {
  let loudest = 0;
  for (let at = WAV_HEADER_BYTES; at + 4 <= wav.length; at += 4)
    loudest = Math.max(loudest, Math.abs(wav.readInt16LE(at + 2)));
  return loudest;
}
