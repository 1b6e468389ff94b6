import { once } from 'node:events';
import type { DialRequest, LegDialog } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import type { IncomingSession } from '@outdial/sip';
import { afterEach, describe, expect, test } from 'vitest';
import { CountingAgent } from '../../test/counting-conversation.ts';
import { RtpPeer } from '../../test/rtp-peer.ts';
import { rootMeanSquare } from '../media/frames.ts';
import {
  faster,
  openCarrier,
  openMute,
  PlacedCall,
  sendInfos,
  TrunkPeer,
  type CarrierWorldOptions,
} from '../../test/sip-trunk.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function peerThat(onCall: Parameters<typeof TrunkPeer.open>[0], options?: Parameters<typeof TrunkPeer.open>[1]) {
  const peer = await TrunkPeer.open(onCall, options);
  closing.push(() => peer.close());
  return peer;
}

async function carrierOver(trunks: CarrierWorldOptions['trunks'], more: Omit<CarrierWorldOptions, 'trunks'> = {}) {
  const world = await openCarrier({ trunks, ...more });
  closing.push(() => world.close());
  return world;
}

const answers = (call: IncomingSession, peer: TrunkPeer): void => {
  call.ring();
  call.answer(peer.audio);
};
const rings = (call: IncomingSession): void => call.ring();
const refuses = (status: number) => (call: IncomingSession) => call.reject(status, { retryAfterSeconds: 30 });

async function dial(peer: TrunkPeer, changes: Partial<DialRequest> = {}) {
  return { call: new PlacedCall(await carrierOver([trunkOf({ uri: peer.uri })]), changes) };
}

describe('a call over one trunk', () => {
  test('rings, is answered, carries audio both ways, and ends once the callee has hung up', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer);
    await call.until('answered');
    const [incoming] = peer.calls;
    expect([incoming?.calledNumber, incoming?.callerNumber]).toEqual(['+12025550100', '+12025550199']);
    await peer.sound.received(10);
    for (const packet of peer.sound.packets) expect(packet.payloadType).toBe(0);
    incoming?.hangUp();
    expect(await call.end()).toEqual({
      outcome: 'completed',
      by: 'callee',
      sipCode: 200,
      q850Cause: 16,
      retryAfterSeconds: null,
    });
    expect(call.kinds).toEqual(['ringing', 'answered', 'ended']);
  });

  test('the callee is heard and recorded', async () => {
    const peer = await peerThat(answers);
    const world = await carrierOver([trunkOf({ uri: peer.uri })]);
    const call = new PlacedCall(world);
    await call.until('answered');
    await peer.sound.received(1);
    const port = Number(/m=audio (\d+)/.exec(peer.calls[0]?.request.body.toString() ?? '')?.[1]);
    for (let sent = 0; sent < 25; sent += 1) {
      peer.sound.send(port, 0x00);
      await peer.sound.received(peer.sound.packets.length + 1);
    }
    call.leg.hangUp();
    await call.end();
    await peer.ended();
    expect(rootMeanSquare(world.recordings.channelsOf(call.callId).callee)).toBeGreaterThan(1_000);
  });

  test('hung up while it rings is canceled, and ends only after hangUp has returned', async () => {
    const peer = await peerThat(rings);
    const { call } = await dial(peer);
    await call.until('ringing');
    call.leg.hangUp();
    call.leg.hangUp();
    expect(call.kinds).toEqual(['ringing']);
    expect(await call.end()).toMatchObject({ outcome: 'cancelled', by: 'us', sipCode: 487 });
    expect(await peer.ended()).toBe('cancelled');
  });

  test('hung up after the answer ends once the far end has confirmed the BYE', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer);
    await call.until('answered');
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed', by: 'us', sipCode: 200 });
    expect(await peer.ended()).toBe('completed');
  });

  test('that is not answered ends by itself', async () => {
    const peer = await peerThat(rings);
    const { call } = await dial(peer, { ringTimeoutMs: 200 });
    expect(await call.end()).toMatchObject({ outcome: 'no_answer', by: 'callee', sipCode: 487 });
  });

  test.each([
    [486, 'busy', 'callee'],
    [603, 'declined', 'callee'],
    [404, 'invalid_destination', 'carrier'],
    [302, 'rejected', 'carrier'],
  ] as const)('rejected with %d is not given to another trunk', async (status, outcome, by) => {
    const peer = await peerThat(refuses(status));
    const spare = await peerThat(answers);
    const world = await carrierOver([
      trunkOf({ name: 'main', uri: peer.uri, priority: 1 }),
      trunkOf({ name: 'spare', uri: spare.uri, priority: 2 }),
    ]);
    const call = new PlacedCall(world);
    expect(await call.end()).toMatchObject({ outcome, by, sipCode: status });
    expect(spare.calls).toEqual([]);
  });

  test('that is put on hold and resumed reports both', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer);
    await call.until('answered');
    await peer.sound.received(1);
    expect(await peer.calls[0]?.reoffer('sendonly')).toBe('accepted');
    expect(await peer.calls[0]?.reoffer('sendrecv')).toBe('accepted');
    expect(call.events.flatMap((event) => (event.kind === 'on_hold' ? [event.isOnHold] : []))).toEqual([true, false]);
  });

  test('keys by INFO reach the agent, and a flood of them does not', async () => {
    const peer = await peerThat(answers);
    const agent = new CountingAgent();
    const world = await carrierOver([trunkOf({ uri: peer.uri })], { agents: { prepare: async () => agent } });
    const call = new PlacedCall(world);
    await call.until('answered');
    await peer.sound.received(1);
    const [incoming] = peer.calls;
    if (!incoming) throw new Error('no call came');
    await sendInfos(incoming, `4${'2'.repeat(199)}`);
    const heard = () => agent.heardDigits.join('');
    while (heard() === '') await peer.sound.received(peer.sound.packets.length + 1);
    expect(heard()).toMatch(/^42*$/);
    // The agent speaks at every tick of 50 a second: the seconds in which it has heard keys, and the current one.
    expect(heard().length).toBeLessThanOrEqual(25 * (Math.ceil(agent.said / 50) + 1));
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });

  test('whose callee is never heard ends with no_audio', async () => {
    const peer = await peerThat(answers);
    const world = await carrierOver([trunkOf({ uri: peer.uri })], { noAudioAfterMs: 300 });
    const call = new PlacedCall(world);
    expect(await call.end()).toMatchObject({ outcome: 'no_audio', by: 'us', sipCode: 200 });
    expect(await peer.ended()).toBe('completed');
  });
});

describe('what is sent', () => {
  test('follows the settings of the trunk', async () => {
    const peer = await peerThat(answers, {
      authentication: { realm: 'trunk', passwordOf: (user) => (user === 'alice' ? 'secret' : undefined) },
    });
    const world = await carrierOver([
      trunkOf({
        uri: peer.uri,
        transport: 'tcp',
        credentials: { username: 'alice', password: 'secret' },
        callerId: { prefixes: ['1202'], asserted: true },
        numberFormat: 'digits',
        codecs: ['PCMA', 'PCMU'],
      }),
    ]);
    const call = new PlacedCall(world);
    await call.until('answered');
    const request = peer.calls[0]?.request;
    const host = peer.uri.slice('sip:'.length);
    expect(request?.uri).toBe(`sip:12025550100@${host};transport=tcp`);
    expect(request?.headers.get('p-asserted-identity')).toBe(`<sip:12025550199@${host}>`);
    expect(request?.headers.get('via')).toContain('SIP/2.0/TCP');
    expect(request?.body.toString()).toMatch(/m=audio \d{5} RTP\/AVP 8 0 101/);
    call.leg.hangUp();
    await call.end();
  });

  test('is nothing once the right to dial has ended', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer, { mayDial: () => false });
    expect(await call.end()).toMatchObject({ outcome: 'not_dialled', sipCode: null });
    expect(peer.calls).toEqual([]);
  });

  test('waits for the right to dial if that may be regained, and is dialed once then', async () => {
    const peer = await peerThat(rings);
    let allowed = false;
    const { call } = await dial(peer, {
      mayDial: () => allowed,
      awaitDialPermit: async () => {
        expect(peer.calls).toEqual([]);
        return (allowed = true);
      },
    });
    await call.until('ringing');
    expect(peer.calls).toHaveLength(1);
    call.leg.hangUp();
    await call.end();
  });

  test('is nothing if the call is hung up while it waits for the right to dial', async () => {
    const peer = await peerThat(rings);
    const [asking, answering] = [new AbortController(), new AbortController()];
    const asked = once(asking.signal, 'abort');
    const awaitDialPermit = async () => {
      asking.abort();
      await once(answering.signal, 'abort');
      return true;
    };
    const { call } = await dial(peer, { mayDial: () => false, awaitDialPermit });
    await asked;
    call.leg.hangUp();
    answering.abort();
    expect(await call.end()).toMatchObject({ outcome: 'cancelled', by: 'us' });
    expect(peer.calls).toEqual([]);
  });

  test('is nothing to a trunk that the driver did not begin with', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer, { beginAttempt: async () => 'refused' });
    expect(await call.end()).toMatchObject({ outcome: 'not_dialled' });
    expect(peer.calls).toEqual([]);
  });

  test('is nothing if the call was hung up before', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer, { beginAttempt: () => new Promise(() => undefined) });
    call.leg.hangUp();
    expect(call.kinds).toEqual([]);
    expect(await call.end()).toMatchObject({ outcome: 'cancelled', by: 'us', sipCode: null });
    expect(peer.calls).toEqual([]);
  });

  test('is nothing from a number that no trunk carries: the carrier rejects it for good', async () => {
    const peer = await peerThat(answers);
    const french = { uri: peer.uri, callerId: { prefixes: ['33'], asserted: false } };
    const any = trunkOf({ name: 'any', enabled: false });
    const call = new PlacedCall(await carrierOver([trunkOf(french), any]));
    expect(await call.end()).toMatchObject({ outcome: 'rejected', by: 'carrier', sipCode: null });
    expect([call.attempts, peer.calls]).toEqual([[], []]);
  });

  test('waits while no trunk takes the call, and is dialed once one does', async () => {
    const peer = await peerThat(answers);
    const trunks = [trunkOf({ name: 'gone', uri: 'sip:trunk.invalid' })];
    const awaitDialPermit = async () => {
      trunks.push(trunkOf({ uri: peer.uri }));
      return true;
    };
    const call = new PlacedCall(await carrierOver(trunks, { clock: faster(10) }), { awaitDialPermit });
    await call.until('answered');
    expect(call.attempts).toEqual(['main']);
    expect(peer.calls).toHaveLength(1);
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });

  test('is nothing if the right to the call is lost while it waits for a trunk', async () => {
    const call = new PlacedCall(await carrierOver([], { clock: faster(10) }), { awaitDialPermit: async () => false });
    expect(await call.end()).toMatchObject({ outcome: 'not_dialled', by: 'us', sipCode: null });
    expect(call.attempts).toEqual([]);
  });

  test('is nothing if the call is hung up while it waits for a trunk', async () => {
    const call = new PlacedCall(await carrierOver([]), { awaitDialPermit: async () => true });
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'cancelled', by: 'us', sipCode: null });
  });
});

describe('another trunk', () => {
  test.each([
    ['said 503', async () => (await peerThat(refuses(503))).uri, ['main', 'spare']],
    // No attempt begins where nothing can be sent.
    ['has an unknown host name', async () => 'sip:trunk.invalid', ['spare']],
    ['is not a SIP URI', async () => 'trunk', ['spare']],
  ])('is tried when the first one %s', async (_, uriOfFirst, attempts) => {
    const spare = await peerThat(answers);
    const world = await carrierOver([
      trunkOf({ name: 'main', uri: await uriOfFirst(), priority: 1 }),
      trunkOf({ name: 'spare', uri: spare.uri, priority: 2 }),
    ]);
    const call = new PlacedCall(world);
    await call.until('answered');
    expect(call.attempts).toEqual(attempts);
    expect(call.dialog['trunk']).toBe('spare');
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });

  test('is tried when the first one refuses the connection', async () => {
    const gone = await TrunkPeer.open(rings);
    await gone.close();
    const spare = await peerThat(answers);
    const world = await carrierOver([
      trunkOf({ name: 'main', uri: gone.uri, transport: 'tcp', priority: 1 }),
      trunkOf({ name: 'spare', uri: spare.uri, priority: 2 }),
    ]);
    const call = new PlacedCall(world);
    await call.until('answered');
    expect(call.attempts).toEqual(['spare']);
  });

  test('is tried when the first one is full, and nothing is sent to that one', async () => {
    const main = await peerThat(answers);
    const spare = await peerThat(answers);
    const world = await carrierOver([
      trunkOf({ name: 'main', uri: main.uri, priority: 1 }),
      trunkOf({ name: 'spare', uri: spare.uri, priority: 2 }),
    ]);
    const call = new PlacedCall(world, {
      beginAttempt: async ({ name }) => (name === 'main' ? 'no_channel' : 'begun'),
    });
    await call.until('answered');
    expect(main.calls).toEqual([]);
  });

  test('is never tried after an INVITE without a response', async () => {
    const mute = await openMute();
    closing.push(() => mute.close());
    const spare = await peerThat(answers);
    const clock = faster(50);
    const trunks = [
      trunkOf({ name: 'main', uri: mute.uri, priority: 1 }),
      trunkOf({ name: 'spare', uri: spare.uri, priority: 2 }),
    ];
    const call = new PlacedCall(await carrierOver(trunks, { clock }));
    expect(await call.end()).toMatchObject({ outcome: 'unavailable', by: 'carrier', sipCode: null });
    expect(mute.heard).toContain('INVITE');
    expect(call.attempts).toEqual(['main']);
    expect(spare.calls).toEqual([]);
  });

  test('that fails too decides the call’s result', async () => {
    const busy = await peerThat(refuses(503));
    const world = await carrierOver([
      trunkOf({ name: 'main', uri: busy.uri, priority: 1 }),
      trunkOf({ name: 'spare', uri: 'sip:trunk.invalid', priority: 2 }),
      trunkOf({ name: 'third', uri: busy.uri, priority: 3 }),
    ]);
    const call = new PlacedCall(world);
    expect(await call.end()).toMatchObject({ outcome: 'unavailable', sipCode: 503, retryAfterSeconds: 30 });
    expect(call.attempts).toEqual(['main', 'third']);
  });
});

const portOf = ({ uri }: TrunkPeer): number => Number(uri.split(':').at(-1));

/** One trunk whose name leads to two addresses, of which the first is congested. */
const twoAddresses = async (beginAttempt?: DialRequest['beginAttempt']) => {
  const [first, second] = [await peerThat(refuses(503)), await peerThat(answers)];
  const records = [first, second].map((peer, priority) => ({ name: 'one', port: portOf(peer), priority, weight: 0 }));
  const resolver = { srv: async () => records, addresses: async () => ['127.0.0.1'] };
  const world = await carrierOver([trunkOf({ uri: 'sip:trunk.test' })], { resolver });
  const call = new PlacedCall(world, beginAttempt === undefined ? {} : { beginAttempt });
  return { first, second, call };
};

describe('another address of the same trunk', () => {
  test('is another attempt: the driver stores it before anything is sent there', async () => {
    const { first, second, call } = await twoAddresses();
    await call.until('answered');
    expect(call.attempts).toEqual(['main', 'main']);
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
    call.leg.hangUp();
    await call.end();
  });

  test.each([
    ['refused', { outcome: 'not_dialled', sipCode: null }],
    ['no_channel', { outcome: 'unavailable', sipCode: 503 }],
  ] as const)('gets nothing where the driver decides %s', async (said, end) => {
    let asked = 0;
    const { second, call } = await twoAddresses(async () => ((asked += 1) === 1 ? 'begun' : said));
    expect(await call.end()).toMatchObject(end);
    expect(second.calls).toEqual([]);
  });
});

describe('a bad trunk', () => {
  test('that rejects our password gets no second call', async () => {
    const peer = await peerThat(answers, { authentication: { realm: 'trunk', passwordOf: () => 'right' } });
    const credentials = { username: 'alice', password: 'wrong' };
    const world = await carrierOver([trunkOf({ uri: peer.uri, credentials })]);
    const first = new PlacedCall(world);
    expect(await first.end()).toMatchObject({ outcome: 'rejected', by: 'carrier', sipCode: 407 });
    const second = new PlacedCall(world);
    // It waits for another trunk, until its worker may no longer wait.
    expect(await second.end()).toMatchObject({ outcome: 'not_dialled', sipCode: null });
    expect(second.attempts).toEqual([]);
    expect(peer.calls).toEqual([]);
  });

  test('that sends garbage counts as silent', async () => {
    const garbage = await openMute((socket, { port, address }) => {
      socket.send(Buffer.from('SIP/2.0 999999 \r\n\0\r\n'), port, address);
      socket.send(Buffer.alloc(2_000, 0xff), port, address);
    });
    closing.push(() => garbage.close());
    const call = new PlacedCall(await carrierOver([trunkOf({ uri: garbage.uri })], { clock: faster(50) }));
    expect(await call.end()).toMatchObject({ outcome: 'unavailable', by: 'carrier', sipCode: null });
    expect(call.kinds).toEqual(['ended']);
  });
});

const rtpPortOf = (incoming: IncomingSession | undefined) =>
  Number(/m=audio (\d+)/.exec(incoming?.request.body.toString() ?? '')?.[1]);

describe('unsolicited audio', () => {
  test('from a stranger is not heard', async () => {
    const peer = await peerThat(answers);
    const stranger = await RtpPeer.open('127.0.0.2');
    closing.push(() => stranger.close());
    const agent = new CountingAgent();
    const world = await carrierOver([trunkOf({ uri: peer.uri })], { agents: { prepare: async () => agent } });
    const call = new PlacedCall(world);
    await call.until('answered');
    await peer.sound.received(1);
    const port = rtpPortOf(peer.calls[0]);
    const [strangers, callees] = [32_124, -32_124];
    while (!agent.heard.includes(callees)) {
      for (let packet = 0; packet < 5; packet += 1) stranger.send(port, 0x80);
      peer.sound.send(port, 0x00);
      await peer.sound.received(peer.sound.packets.length + 1);
    }
    expect(agent.heard).not.toContain(strangers);
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });

  test('a flood of keys is cut off, and the call goes on', async () => {
    const peer = await peerThat(answers);
    const agent = new CountingAgent();
    const world = await carrierOver([trunkOf({ uri: peer.uri })], { agents: { prepare: async () => agent } });
    const call = new PlacedCall(world);
    await call.until('answered');
    await peer.sound.received(1);
    const port = rtpPortOf(peer.calls[0]);
    for (let nth = 0; agent.heardDigits.length < 3; nth += 1) {
      for (let key = 0; key < 100; key += 1) {
        const timestamp = (nth * 100 + key) * 1_000;
        peer.sound.send(port, 0, { payloadType: 101, timestamp }, Uint8Array.of(1, 0x8a, 3, 32));
      }
      await peer.sound.received(peer.sound.packets.length + 1);
    }
    expect(agent.heardDigits.join('').length).toBeLessThanOrEqual(25 * (Math.ceil(agent.said / 50) + 1));
    call.leg.hangUp();
    expect(await call.end()).toMatchObject({ outcome: 'completed' });
  });
});

describe('a leg whose process is dead', () => {
  test.each([
    ['rings', rings, 'ringing', 'cancelled'],
    ['talks', answers, 'answered', 'completed'],
  ] as const)('that %s is ended by another process', async (_, onCall, reached, outcome) => {
    const peer = await peerThat(onCall);
    const { call } = await dial(peer);
    await call.until(reached);
    const other = await carrierOver([trunkOf({ uri: peer.uri })]);
    expect(await other.carrier.endOrphan(call.dialog)).toBe('gone');
    expect(await peer.ended()).toBe(outcome);
  });

  test.each([
    ['rings', rings, 'ringing', 'cancelled'],
    ['was answered and not acknowledged,', answers, 'answered', 'completed'],
  ] as const)('that %s is ended by the description stored before its INVITE', async (_, onCall, reached, outcome) => {
    const peer = await peerThat(onCall);
    const { call } = await dial(peer, { recorded: () => new Promise(() => undefined) });
    await call.until(reached);
    const other = await carrierOver([trunkOf({ uri: peer.uri })]);
    expect(await other.carrier.endOrphan(call.begunWith)).toBe('gone');
    expect(await peer.ended()).toBe(outcome);
  });

  test('that rings after a digest challenge is ended by the description stored before the challenge', async () => {
    const credentials = { username: 'alice', password: 'right' };
    const peer = await peerThat(rings, { authentication: { realm: 'trunk', passwordOf: () => 'right' } });
    const world = await carrierOver([trunkOf({ uri: peer.uri, credentials })]);
    const stored: LegDialog[] = [];
    const call: PlacedCall = new PlacedCall(world, {
      recorded: async () => {
        stored.push(call.dialog);
      },
    });
    await call.until('ringing');
    const other = await carrierOver([trunkOf({ uri: peer.uri, credentials })]);
    expect(stored).toHaveLength(1);
    expect(await other.carrier.endOrphan(stored[0] ?? {})).toBe('gone');
    expect(await peer.ended()).toBe('cancelled');
  });

  test('that the far end no longer knows is gone', async () => {
    const peer = await peerThat(answers);
    const { call } = await dial(peer);
    await call.until('answered');
    peer.calls[0]?.hangUp();
    await call.end();
    const other = await carrierOver([]);
    expect(await other.carrier.endOrphan(call.dialog)).toBe('gone');
  });

  test('without a usable description is unknown', async () => {
    const { carrier } = await carrierOver([]);
    expect(await carrier.endOrphan({ leg: 1 })).toBe('unknown');
  });
});
