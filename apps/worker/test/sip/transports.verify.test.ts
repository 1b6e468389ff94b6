import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { trunkOf } from '@outdial/calls/testing';
import { trunkNameSchema } from '@outdial/contracts';
import { createAdministration, type TrunkSettings } from '@outdial/persistence';
import { claimRtpPorts, LOCALHOST_IDENTITY, type ClaimedRtpPorts } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { AT_REST, audit } from '../audit.ts';
import { startChildCallee, type ChildCallee } from '../child-callee.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { metricsUrlOf, scrape } from '../scrape.ts';
import { openStage, type Stage } from '../stage.ts';

const IMPATIENT = '+12025550105';
const LIMIT_MS = 120_000;
const TRUNK = trunkNameSchema.parse('callee');
/** A client that connects to a worker, and what it verifies. */
const CARRIER = { host: '127.0.0.1', servername: 'localhost', ca: LOCALHOST_IDENTITY.authority };

let stage: Stage;
let callee: ChildCallee;
let authority: string;
let journalPath: string;
let ports: ClaimedRtpPorts;
let identity: Readonly<Record<'certificate' | 'key', string>>;
beforeAll(async () => {
  stage = await openStage();
  ports = await claimRtpPorts();
  const fileOf = async (name: string, text: string) => {
    const path = join(stage.dataDir, name);
    await writeFile(path, text);
    return path;
  };
  authority = await fileOf('authority.pem', LOCALHOST_IDENTITY.authority);
  identity = {
    certificate: await fileOf('certificate.pem', LOCALHOST_IDENTITY.certificate),
    key: await fileOf('key.pem', LOCALHOST_IDENTITY.key),
  };
  journalPath = join(stage.dataDir, 'journal');
  callee = await startChildCallee({
    OUTDIAL_CALLEE_JOURNAL: journalPath,
    OUTDIAL_CALLEE_TLS_PORT: '0',
    OUTDIAL_CALLEE_TLS_CERTIFICATE: identity.certificate,
    OUTDIAL_CALLEE_TLS_KEY: identity.key,
  });
});
afterEach(async () => {
  killChildWorkers();
  await administration().trunks.remove(TRUNK);
});
afterAll(async () => {
  await callee.close();
  await ports.release();
  await stage.close();
});

const administration = () => createAdministration(stage.database, { actor: 'test' });

/** A call that waits for a worker, and then a worker with this trunk alone. */
async function callOver(
  settings: Pick<TrunkSettings, 'uri' | 'transport'>,
  environment: Readonly<Record<string, string>> = {},
) {
  await administration().trunks.add({
    ...trunkOf({ name: TRUNK, ...settings, callsPerSecond: 10 }),
    credentials: null,
  });
  // A worker whose trunk is down stops the acceptance of more calls.
  await stage.liftTrunkLimit();
  const callId = await stage.place(IMPATIENT);
  const worker = startChildWorker(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
      ...environment,
    }),
  );
  return { worker, callId };
}

const invitesAtCallee = async () => (await readFile(journalPath, 'utf8')).match(/"event":"invite"/g)?.length ?? 0;

const RANG_AND_TALKED = { endedReason: 'callee_hangup', sipCode: 200, recordingStatus: 'available' };

const trusting = () => ({ NODE_EXTRA_CA_CERTS: authority });
const overTls = (host: string) => ({ uri: `sip:${host}:${callee.tlsPort}`, transport: 'tls' }) as const;

test.each([
  ['of another name', () => overTls('127.0.0.1'), trusting, /does not match certificate/],
  ['of an authority that is not trusted', () => overTls('localhost'), () => ({}), /unable to verify/],
])(
  'a trunk with a certificate %s gets no INVITE, the log says why, and the call waits; over TCP it rings and talks',
  async (_, settings, environment, reason) => {
    const invitesBefore = await invitesAtCallee();
    const { worker, callId } = await callOver(settings(), environment());
    await worker.said('the trunk takes no calls');
    expect(worker.linesOf('the trunk takes no calls')).toMatchObject([
      { level: 'warn', trunk: TRUNK, reason: 'unreachable', detail: expect.stringMatching(reason) },
    ]);
    expect(await stage.find(callId)).toMatchObject({ status: expect.stringMatching(/^(queued|dialing)$/) });
    expect(await invitesAtCallee()).toBe(invitesBefore);
    await administration().trunks.update(TRUNK, { uri: callee.uri, transport: 'tcp' });
    expect(await stage.untilEnded(callId)).toMatchObject(RANG_AND_TALKED);
    expect(await invitesAtCallee()).toBe(invitesBefore + 1);
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);

test(
  'a call over TLS rings and talks; with its own certificate the worker also accepts TLS, and reports its expiry',
  async () => {
    const reachable = { SIP_TLS_PORT: '0', SIP_TLS_CERT: identity.certificate, SIP_TLS_KEY: identity.key };
    const environment = { ...trusting(), ...reachable, WORKER_METRICS_PORT: '0' };
    const { worker, callId } = await callOver(overTls('localhost'), environment);
    const metrics = await scrape(await metricsUrlOf(worker));
    expect(metrics.value('outdial_sip_certificate_expires_at_seconds')).toBe(Date.UTC(2120, 0, 1) / 1_000);
    await worker.said('listening for SIP');
    const [line] = z.tuple([z.looseObject({ tlsPort: z.int() })]).parse(worker.linesOf('listening for SIP'));
    const carrier = connect({ ...CARRIER, port: line.tlsPort });
    await once(carrier, 'secureConnect');
    carrier.write(
      [
        'OPTIONS sip:worker@localhost SIP/2.0',
        'Via: SIP/2.0/TLS localhost:5061;branch=z9hG4bKreached',
        'Max-Forwards: 70',
        'From: <sip:carrier@localhost>;tag=carrier',
        'To: <sip:worker@localhost>',
        'Call-ID: reached',
        'CSeq: 1 OPTIONS',
        'Content-Length: 0',
        '\r\n',
      ].join('\r\n'),
    );
    const [answer] = await once(carrier, 'data');
    expect(String(answer)).toMatch(/^SIP\/2\.0 200 /);
    carrier.destroy();
    expect(await stage.untilEnded(callId)).toMatchObject(RANG_AND_TALKED);
    worker.signal('SIGTERM');
    expect(await worker.exited()).toBe(0);
    await expect.poll(() => audit(stage)).toEqual(AT_REST);
  },
  LIMIT_MS,
);
