import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { createLogger } from '@outdial/kernel';
import { createFileRecordings } from '@outdial/recordings';
import { claimRtpPorts, LOCALHOST_IDENTITY, RENEWED_IDENTITY } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_CALL_MODELS } from '../no-call-models.ts';
import { hurriedClock } from '../hurried-clock.ts';
import { openStage, type Stage } from '../stage.ts';
import { composeSip } from '../../src/compose/sip.ts';
import { readConfig } from '../../src/settings/config.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const pathOf = (name: string) => join(stage.dataDir, name);

async function writeIdentity({ certificate, key }: Readonly<Record<'certificate' | 'key', string>>): Promise<void> {
  await writeFile(pathOf('certificate.pem'), certificate);
  await writeFile(pathOf('key.pem'), key);
}

/** The telephony of a worker for which a second is a minute. */
async function openTelephony() {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const ports = await claimRtpPorts();
  const config = readConfig(
    stage.environment({
      OUTDIAL_CARRIER: 'sip',
      SIP_PORT: '0',
      SIP_TLS_PORT: '0',
      SIP_TLS_CERT: pathOf('certificate.pem'),
      SIP_TLS_KEY: pathOf('key.pem'),
      SIP_RTP_PORTS: ports.range,
      OUTDIAL_SECRET_KEY: '7a'.repeat(32),
    }),
  );
  const telephony = await composeSip({
    config,
    database: stage.database,
    redis: stage.redis,
    recordings: createFileRecordings({ directory: pathOf('recordings'), onError: () => undefined }),
    credentials: { open: async () => [], openSecrets: async () => new Map() },
    calls: NO_CALL_MODELS,
    workerId: 'one',
    clock: hurriedClock(60),
    logger: createLogger({ name: 'test', level: 'info', destination }),
  });
  await telephony.prepare();
  const linesOf = (message: string) => lines.filter(({ msg }) => msg === message);
  const [{ tlsPort }] = z.tuple([z.looseObject({ tlsPort: z.int() })]).parse(linesOf('listening for SIP'));
  const loops = telephony.startLoops();
  const close = async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await telephony.close();
    await ports.release();
  };
  return { telephony, tlsPort, linesOf, close };
}

/** Rejects unless the server presents a certificate of that authority. */
async function connectTo(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca });
  await once(socket, 'secureConnect');
  return socket;
}

test('a running worker loads a renewed certificate, drops no connection, and reports the expiry', async () => {
  await writeIdentity(LOCALHOST_IDENTITY);
  const { telephony, tlsPort, linesOf, close } = await openTelephony();
  expect(telephony.certificateExpiresAtMs?.()).toBe(Date.UTC(2120, 0, 1));
  const before = await connectTo(tlsPort, LOCALHOST_IDENTITY.authority);
  await writeIdentity(RENEWED_IDENTITY);
  await expect.poll(() => linesOf('a renewed certificate for SIP over TLS is in use')).toHaveLength(1);
  expect(telephony.certificateExpiresAtMs?.()).toBe(Date.UTC(2130, 0, 1));
  const after = await connectTo(tlsPort, RENEWED_IDENTITY.certificate);
  for (const socket of [before, after]) {
    // SIP's keep-alive, which is answered at once.
    socket.write('\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('\r\n');
    socket.destroy();
  }
  await close();
});
