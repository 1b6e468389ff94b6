import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { trunkNameSchema, type CallId, type TrunkName } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { createAdministration, createDialAttemptStore, type TrunkSettings } from '@outdial/persistence';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { hurriedClock, type HurriedClock } from '../hurried-clock.ts';
import { openStage, type Stage } from '../stage.ts';
import { AUDIO, branchOf, openTrunkPeer } from '../trunk-peer.ts';
import { openTrunkWorker, type TrunkWorker } from '../trunk-worker.ts';

const NUMBER = '+12025550143';

let stage: Stage;
let worker: TrunkWorker;
let clock: HurriedClock;
/** A new name for each test: the worker must not confuse the trunk with that of the previous test. */
let trunk: TrunkName;
let tests = 0;
const lines: Readonly<Record<string, unknown>>[] = [];
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  stage = await openStage();
  // Timer B is 1.6 s: longer than a busy machine delays a live far end.
  clock = hurriedClock(20);
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  worker = await openTrunkWorker(stage, 'one', { clock, logger });
});
beforeEach(() => {
  tests += 1;
  trunk = trunkNameSchema.parse(`bad-${tests}`);
});
afterEach(async () => {
  await administration().trunks.remove(trunk);
  for (const close of closing.splice(0)) await close();
  lines.length = 0;
});
afterAll(async () => {
  await worker.close();
  await stage.close();
});

const administration = () => createAdministration(stage.database, { actor: 'test' });

async function callOver(...over: Parameters<typeof placeOver>): Promise<CallId> {
  const callId = await placeOver(...over);
  await worker.drive(callId);
  return callId;
}

/** The worker must not even claim another call; the test then ends it, so that nothing is left running. */
async function expectToWait(): Promise<void> {
  const callId = await stage.place(NUMBER);
  expect(await worker.driver.drive(callId)).toMatchObject({ kind: 'later' });
  await stage.end(callId);
  expect(await stage.find(callId)).toMatchObject({ endedReason: 'cancelled' });
}

/** A call that only this trunk can carry. */
async function placeOver(
  settings: Pick<TrunkSettings, 'uri'> & Partial<TrunkSettings>,
  password?: string,
): Promise<CallId> {
  const credentials = password === undefined ? null : { username: 'alice', password, secretKey: worker.secretKey };
  await administration().trunks.add({
    name: trunk,
    transport: 'udp',
    outboundProxy: null,
    channels: 5,
    callsPerSecond: 50,
    callerId: { prefixes: [], asserted: false },
    numberFormat: 'e164',
    codecs: ['PCMU'],
    priority: 10,
    weight: 10,
    healthCheck: 'options',
    credentials,
    ...settings,
  });
  await worker.seesTrunks([trunk]);
  return stage.place(NUMBER);
}

/** RTP ports that the worker has bound, as the kernel reports them. */
async function boundRtpPorts(): Promise<number> {
  const table = await readFile('/proc/net/udp', 'utf8');
  const ports = table
    .split('\n')
    .map((line) => Number.parseInt(/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) /.exec(line)?.[1] ?? '0', 16));
  return ports.filter((port) => port >= worker.rtpPorts.firstPort && port <= worker.rtpPorts.lastPort).length;
}

/** Sessions, timers, ports and channels may outlive a call for a moment. Waits until all are gone. */
async function expectNothingLeft(): Promise<void> {
  while (worker.sessions() > 0 || clock.pendingTimers() > 0 || (await boundRtpPorts()) > 0) await sleep(20);
  expect(await createDialAttemptStore(stage.database).takenChannels()).toEqual([]);
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
}

/** A UDP port that is silent, or sends what the test chooses. */
async function openMute(answer: (send: (bytes: Buffer) => void) => void = () => undefined) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const invites = new Set<string>();
  socket.on('message', (datagram, { port, address }) => {
    if (datagram.toString().startsWith('INVITE ')) invites.add(branchOf(datagram.toString()));
    answer((bytes) => socket.send(bytes, port, address));
  });
  closing.push(async () => void socket.close());
  return { uri: `sip:127.0.0.1:${socket.address().port}`, invites };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const outOfService = () => lines.filter(({ msg }) => msg === 'the trunk takes no calls');

describe('a trunk', () => {
  test('that rejects the password is tried once, raises an alarm, and gets no further call', async () => {
    const authentication = { realm: 'trunk', passwordOf: () => 'right' };
    const peer = await openTrunkPeer((session) => session.ring(), { authentication });
    closing.push(() => peer.close());
    const first = await callOver({ uri: peer.uri }, 'wrong');
    expect(await stage.find(first)).toMatchObject({ endedReason: 'carrier_rejected', sipCode: 407, costMicros: 0n });
    const alarm = { level: 'error', trunk, reason: 'unauthorized' };
    expect(lines).toContainEqual(expect.objectContaining(alarm));
    for (let nth = 0; nth < 5; nth += 1) await expectToWait();
    // The INVITE that was challenged, and the one with the wrong credentials.
    expect(peer.invites()).toBe(2);
    expect(lines.filter((line) => line['level'] === 'error')).toHaveLength(1);
    await expectNothingLeft();
  });

  test.each([
    ['has an unknown host name', async () => ({ uri: 'sip:trunk.invalid' })],
    ['refuses the connection', async () => ({ uri: `sip:127.0.0.1:${await closedPort()}`, transport: 'tcp' as const })],
  ])('that %s is taken out of service; its calls wait and are dialed once it works', async (_, settings) => {
    const peer = await openTrunkPeer((session) => session.reject(486));
    closing.push(() => peer.close());
    const callId = await placeOver(await settings());
    const driving = worker.drive(callId);
    await expect.poll(outOfService).toMatchObject([{ level: 'warn', trunk, reason: 'unreachable' }]);
    await expectToWait();
    expect((await stage.find(callId)).status).toBe('dialing');
    await administration().trunks.update(trunk, { uri: peer.uri, transport: 'udp' });
    await driving;
    expect(await stage.find(callId)).toMatchObject({ endedReason: 'busy', sipCode: 486 });
    expect(peer.invites()).toBe(1);
    expect(outOfService()).toHaveLength(1);
    await expectNothingLeft();
  });

  test('that cannot be reached does not prevent its calls from being ended', async () => {
    const callId = await placeOver({ uri: 'sip:trunk.invalid' });
    const driving = worker.drive(callId);
    await expect.poll(outOfService).toHaveLength(1);
    await stage.end(callId);
    worker.driver.endRequested(callId);
    await driving;
    expect(await stage.find(callId)).toMatchObject({ endedReason: 'cancelled', costMicros: 0n });
    await expectNothingLeft();
  });

  test.each([
    ['stays silent', () => openMute()],
    [
      'answers with garbage',
      () =>
        openMute((send) => {
          send(Buffer.from('SIP/2.0 999999 \r\n\0\r\n'));
          send(Buffer.alloc(2_000, 0xff));
          send(Buffer.from('SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 127.0.0.1\r\n\r\n'));
        }),
    ],
  ])('that %s is waited for until timer B, and the call is not dialed again', async (_, open) => {
    const mute = await open();
    const callId = await callOver({ uri: mute.uri });
    expect(await stage.find(callId)).toMatchObject({
      endedReason: 'carrier_unavailable',
      sipCode: null,
      costMicros: 0n,
    });
    expect(mute.invites.size).toBe(1);
    // A silent destination alone only affects its call. The trunk is out because it does not answer OPTIONS either.
    await expect.poll(outOfService).toMatchObject([{ level: 'warn', trunk, reason: 'unreachable' }]);
    await expectToWait();
    expect(mute.invites.size).toBe(1);
    await expectNothingLeft();
  });

  test('that sends no sound and hangs up leaves nothing behind', async () => {
    const peer = await openTrunkPeer((session) => {
      session.answer(AUDIO);
      session.hangUp();
    });
    closing.push(() => peer.close());
    const callId = await callOver({ uri: peer.uri });
    expect(await stage.find(callId)).toMatchObject({ endedReason: 'callee_hangup', sipCode: 200 });
    await expectNothingLeft();
  });
});
