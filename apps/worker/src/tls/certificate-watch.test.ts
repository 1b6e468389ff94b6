import { once } from 'node:events';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { createLogger, invariant } from '@outdial/kernel';
import { openSocketTransport } from '@outdial/sip';
import { fakeClock, LOCALHOST_IDENTITY, RENEWED_IDENTITY } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCertificateWatch } from './certificate-watch.ts';
import { readTlsServer, type TlsIdentity } from './server.ts';

const DAY_MS = 86_400_000;
/** A minute and a fifth: the longest pause between two checks. */
const LONGEST_PAUSE_MS = 72_000;
const FIRST = LOCALHOST_IDENTITY.authority;
const RENEWED = RENEWED_IDENTITY.certificate;
const TAKEN_UP = 'a renewed certificate for SIP over TLS is in use';
const NOT_TAKEN_UP = 'the new certificate for SIP over TLS cannot be used';
const EXPIRES = 'the certificate for SIP over TLS expires within two weeks';
const EXPIRED = 'the certificate for SIP over TLS has expired';

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-certificate-'));
  await write('certificate-1.pem', LOCALHOST_IDENTITY.certificate);
  await write('key-1.pem', LOCALHOST_IDENTITY.key);
  await write('certificate-2.pem', RENEWED_IDENTITY.certificate);
  await write('key-2.pem', RENEWED_IDENTITY.key);
  await lead('certificate', 'certificate-1');
  await lead('key', 'key-1');
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await rm(folder, { recursive: true });
});

const pathOf = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFile(pathOf(name), text);

/** Replaces the symbolic link of that name atomically, as programs that renew certificates do. */
async function lead(name: string, target: string): Promise<void> {
  await symlink(`${target}.pem`, pathOf('new-link'));
  await rename(pathOf('new-link'), pathOf(`${name}.pem`));
}

/** A server with the first certificate, and a watch that has read its files once. */
async function openWatch({ nowMs = Date.UTC(2026, 0, 1) } = {}) {
  const clock = fakeClock(nowMs);
  const lines: { readonly level: string; readonly msg: string }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const server = await readTlsServer({
    SIP_TLS_PORT: 0,
    SIP_TLS_CERT: pathOf('certificate.pem'),
    SIP_TLS_KEY: pathOf('key.pem'),
  });
  invariant(server, 'a certificate is set');
  const { port, identity } = server;
  const transport = await openSocketTransport({
    address: '127.0.0.1',
    port: 0,
    tls: { server: { port, cert: identity.cert, key: identity.key } },
  });
  closing.push(() => transport.close());
  const looks = new EventTarget();
  const reread = () => server.reread().finally(() => looks.dispatchEvent(new Event('look')));
  const use = (renewed: TlsIdentity) => transport.renewCertificate(renewed);
  const watch = createCertificateWatch({ identity, reread, use, clock, logger });

  /** Resolves once the work after a read is done and the next check is scheduled. */
  async function looked(begin: () => unknown): Promise<void> {
    const look = once(looks, 'look');
    begin();
    await look;
    await setImmediate();
  }
  await looked(() => {
    const loop = watch.start();
    closing.push(() => loop.stop());
  });
  return {
    clock,
    lines,
    messages: () => lines.map(({ msg }) => msg),
    expiresAtMs: () => watch.expiresAtMs(),
    nextLook: (afterMs = LONGEST_PAUSE_MS) => looked(() => clock.advance(afterMs)),
    connect: (authority: string) => connectTo(transport.tlsPort, authority),
  };
}

/** Rejects unless the server presents a certificate of that authority. */
async function connectTo(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca });
  closing.push(async () => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

/** SIP's keep-alive, which is answered at once. */
async function isAlive(socket: TLSSocket): Promise<boolean> {
  socket.write('\r\n\r\n');
  const [answer] = await once(socket, 'data');
  return String(answer) === '\r\n';
}

test('a renewed certificate is presented to new connections, and open connections continue', async () => {
  const watch = await openWatch();
  const open = await watch.connect(FIRST);
  expect(watch.expiresAtMs()).toBe(Date.UTC(2120, 0, 1));
  await lead('certificate', 'certificate-2');
  await lead('key', 'key-2');
  await watch.nextLook();
  expect(await isAlive(await watch.connect(RENEWED))).toBe(true);
  expect(await isAlive(open)).toBe(true);
  expect(watch.expiresAtMs()).toBe(Date.UTC(2130, 0, 1));
});

test('a renewal logs one line with the subject and expiry, without the private key', async () => {
  const watch = await openWatch();
  await watch.nextLook();
  expect(watch.lines).toEqual([]);
  await lead('certificate', 'certificate-2');
  await lead('key', 'key-2');
  await watch.nextLook();
  await watch.nextLook();
  expect(watch.lines).toMatchObject([
    { level: 'info', msg: TAKEN_UP, subject: 'CN=localhost', notAfter: '2130-01-01T00:00:00.000Z' },
  ]);
  expect(JSON.stringify(watch.lines)).not.toContain('PRIVATE KEY');
});

test.each([
  ['half a certificate', () => write('certificate-1.pem', RENEWED.slice(0, 300)), /cannot be used together/],
  ['an empty file', () => write('certificate-1.pem', ''), /cannot be used together/],
  [
    'a certificate whose key has not arrived yet',
    () => lead('certificate', 'certificate-2'),
    /cannot be used together/,
  ],
  ['a missing file', () => rm(pathOf('key.pem')), /key\.pem cannot be read/],
])('%s keeps the previous certificate, is logged once, and is read again later', async (_, breakIt, reason) => {
  const watch = await openWatch();
  const open = await watch.connect(FIRST);
  await breakIt();
  await watch.nextLook();
  await watch.nextLook();
  expect(watch.lines).toMatchObject([{ level: 'warn', msg: NOT_TAKEN_UP, reason: expect.stringMatching(reason) }]);
  await watch.connect(FIRST);
  await lead('certificate', 'certificate-2');
  await lead('key', 'key-2');
  await watch.nextLook();
  expect(watch.messages()).toEqual([NOT_TAKEN_UP, TAKEN_UP]);
  await watch.connect(RENEWED);
  expect(await isAlive(open)).toBe(true);
});

test('a second fault after a recovery is logged again', async () => {
  const watch = await openWatch();
  for (const certificate of ['certificate-2', 'certificate-1', 'certificate-2']) {
    await lead('certificate', certificate);
    await watch.nextLook();
  }
  expect(watch.messages()).toEqual([NOT_TAKEN_UP, NOT_TAKEN_UP]);
});

test('the expiry within two weeks is logged once a day until the certificate is renewed', async () => {
  const watch = await openWatch({ nowMs: Date.UTC(2120, 0, 1) - 14 * DAY_MS - LONGEST_PAUSE_MS / 2 });
  expect(watch.lines).toEqual([]);
  await watch.nextLook();
  await watch.nextLook();
  expect(watch.lines).toMatchObject([
    { level: 'warn', msg: EXPIRES, subject: 'CN=localhost', notAfter: '2120-01-01T00:00:00.000Z' },
  ]);
  await watch.nextLook(DAY_MS - 2 * LONGEST_PAUSE_MS);
  expect(watch.messages()).toEqual([EXPIRES]);
  await watch.nextLook();
  await watch.nextLook();
  await watch.nextLook();
  expect(watch.messages()).toEqual([EXPIRES, EXPIRES]);
  await lead('certificate', 'certificate-2');
  await lead('key', 'key-2');
  await watch.nextLook();
  watch.clock.stepWallClock(DAY_MS);
  await watch.nextLook();
  expect(watch.messages()).toEqual([EXPIRES, EXPIRES, TAKEN_UP]);
});

test('an expired certificate is logged as expired from the start', async () => {
  const watch = await openWatch({ nowMs: Date.UTC(2120, 0, 1) });
  expect(watch.lines).toMatchObject([{ level: 'warn', msg: EXPIRED }]);
});
