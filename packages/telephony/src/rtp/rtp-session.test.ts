import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@outdial/testkit/async';
import { afterEach, describe, expect, it } from 'vitest';
import { RtpPeer } from '../../test/rtp-peer.ts';
import { createMediaClock } from '../media/media-clock.ts';
import { decodeG711 } from './g711.ts';
import { PortRange } from './port-range.ts';
import { parseRtcp, writeRtcp, type ReportBlock } from './rtcp-packet.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts';
import { RtpSession, type RtpSessionEvent, type RtpSessionOptions } from './rtp-session.ts';

const NO_AUDIO_MS = 2_000;
const ULAW_SILENCE = 0xff;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const range = new PortRange({ address: '127.0.0.1', firstPort: 31_000, lastPort: 31_499 });

async function openPeer(host?: string): Promise<RtpPeer> {
  const peer = await RtpPeer.open(host);
  open.push(peer);
  return peer;
}

/** A session on a manual clock, and a far end; both on real sockets. */
async function setUp(changes: Partial<RtpSessionOptions> = {}) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const events: RtpSessionEvent[] = [];
  const lateness: number[] = [];
  const sockets = await range.open();
  if (!sockets) throw new Error('no port is free');
  const session = new RtpSession({
    sockets,
    clock,
    mediaClock: createMediaClock({ clock, onError: (error) => errors.push(error) }),
    identity: { ssrc: 0x1234_5678, sequenceNumber: 65_535, timestamp: 0xffff_ff60 },
    canonicalName: 'one',
    random: () => 0.5,
    learning: 'same_host',
    noAudioAfterMs: NO_AUDIO_MS,
    onEvent: (event) => events.push(event),
    onSent: (latenessMs) => lateness.push(latenessMs),
    ...changes,
  });
  open.push(session);
  const peer = await openPeer();
  return { clock, errors, events, lateness, session, peer };
}

type Call = Awaited<ReturnType<typeof setUp>>;

async function setUpStarted(
  changes: Partial<RtpSessionOptions> = {},
  peerChanges: Parameters<RtpPeer['media']>[0] = {},
): Promise<Call> {
  const call = await setUp(changes);
  call.session.setRemote(call.peer.media(peerChanges));
  call.session.start();
  return call;
}

/** Waits until the session has seen that many datagrams of any kind. */
async function noticed({ session }: Call, count: number): Promise<void> {
  const seen = (): number => {
    const { received, invalid, strangers } = session.report;
    return received.packets + received.ignored + invalid + strangers;
  };
  while (seen() < count) await setImmediate();
}

const voice = (sample: number) => new Int16Array(160).fill(sample);

describe('an RTP session sends', () => {
  it('a packet at every tick, silence when the agent is silent, numbered across wraps', async () => {
    const { clock, session, peer } = await setUpStarted();
    session.send(voice(32_000));
    clock.turn(60);
    await peer.received(3);
    expect(peer.packets.map(({ sequenceNumber }) => sequenceNumber)).toEqual([65_535, 0, 1]);
    expect(peer.packets.map(({ timestamp }) => timestamp)).toEqual([0xffff_ff60, 0, 160]);
    expect(peer.packets.map(({ marker }) => marker)).toEqual([true, false, false]);
    expect(peer.packets.map(({ ssrc, payloadType }) => [ssrc, payloadType])).toEqual(
      [1, 2, 3].map(() => [0x1234_5678, 0]),
    );
    expect(decodeG711('PCMU', peer.packets[0]?.payload ?? Buffer.alloc(0))).toEqual(voice(32_124));
    expect([...(peer.packets[1]?.payload ?? [])]).toEqual(Array(160).fill(ULAW_SILENCE));
  });

  it('fifty packets a second, even after a stall', async () => {
    const { clock, peer } = await setUpStarted();
    clock.turn(500);
    clock.stall(300);
    clock.turn(1_200);
    await peer.received(100);
    expect(peer.packets).toHaveLength(100);
  });

  it('nothing before the answer, and after its close only a BYE', async () => {
    const { clock, session, peer } = await setUp();
    session.setRemote(peer.media());
    session.send(voice(1_000));
    clock.turn(200);
    session.start();
    clock.turn(20);
    await peer.received(1);
    await session.close();
    session.send(voice(1_000));
    clock.turn(200);
    await peer.reported(1);
    expect(peer.packets).toHaveLength(1);
    expect(parseRtcp(peer.reports[0] ?? Buffer.alloc(0))).toMatchObject({ ssrc: 0x1234_5678, bye: true });
  });

  it('with the negotiated law and payload type, even when they change', async () => {
    const { clock, session, peer } = await setUpStarted({}, { law: 'PCMA', payloadType: 8 });
    clock.turn(20);
    await peer.received(1);
    session.setRemote(peer.media());
    clock.turn(20);
    await peer.received(2);
    expect(peer.packets.map(({ payloadType, payload }) => [payloadType, payload[0]])).toEqual([
      [8, 0xd5],
      [0, ULAW_SILENCE],
    ]);
  });

  it('nothing while it is held, and continues in time with a marker', async () => {
    const { clock, session, peer } = await setUpStarted();
    clock.turn(20);
    session.setRemote(peer.media({ direction: 'recvonly' }));
    clock.turn(100);
    session.setRemote(peer.media({ direction: 'inactive' }));
    clock.turn(100);
    session.setRemote(peer.media());
    clock.turn(20);
    await peer.received(2);
    const [before, after] = peer.packets;
    expect(((after?.timestamp ?? 0) - (before?.timestamp ?? 0)) >>> 0).toBe(11 * 160);
    expect(after).toMatchObject({ marker: true, sequenceNumber: 0 });
  });

  it('nothing while it is muted, and drops what is queued then', async () => {
    const { clock, session, peer } = await setUpStarted();
    clock.turn(20);
    session.mute(true);
    session.send(voice(7_000));
    clock.turn(60);
    session.mute(false);
    clock.turn(20);
    await peer.received(2);
    expect(peer.packets.map(({ payload }) => payload[0])).toEqual([ULAW_SILENCE, ULAW_SILENCE]);
    expect(peer.packets[1]).toMatchObject({
      marker: true,
      timestamp: ((peer.packets[0]?.timestamp ?? 0) + 4 * 160) >>> 0,
    });
  });

  it('nothing that was cleared, and reports how much that was', async () => {
    const { clock, session, peer } = await setUpStarted();
    for (let frame = 0; frame < 5; frame += 1) session.send(voice(32_000));
    clock.turn(40);
    expect(session.clear()).toBe(60);
    clock.turn(20);
    await peer.received(3);
    expect(peer.packets[2]?.payload[0]).toBe(ULAW_SILENCE);
  });

  it('digits as events with the negotiated payload type, and voice between them', async () => {
    const { clock, session, peer } = await setUpStarted({}, { eventPayloadType: 96 });
    session.sendDigits('1#');
    clock.turn(17 * 20);
    await peer.received(17);
    const types = peer.packets.map(({ payloadType }) => payloadType);
    expect(types).toEqual([...Array(7).fill(96), 0, ...Array(7).fill(96), 0, 0]);
    const first = peer.packets.slice(0, 7);
    expect(new Set(first.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(first.map(({ marker }) => marker)).toEqual([true, ...Array(6).fill(false)]);
    expect(peer.packets[8]).toMatchObject({
      marker: true,
      timestamp: ((peer.packets[0]?.timestamp ?? 0) + 8 * 160) >>> 0,
    });
    expect(first.every(({ payload }) => payload[0] === 1)).toBe(true);
  });

  it('digits as tones to a far end without events', async () => {
    const { clock, session, peer } = await setUpStarted({}, { eventPayloadType: null });
    session.sendDigits('5');
    clock.turn(9 * 20);
    await peer.received(9);
    const isLoud = peer.packets.map(({ payload }) => Math.max(...decodeG711('PCMU', payload)) > 10_000);
    expect(isLoud).toEqual([...Array(5).fill(true), ...Array(4).fill(false)]);
  });

  it('and reports how late every packet was', async () => {
    const { clock, lateness } = await setUpStarted();
    clock.turn(40);
    clock.stall(33);
    clock.turn(0);
    expect(lateness).toEqual([0, 0, 13]);
  });

  it('to no port or host that RTP cannot reach', async () => {
    const { session, peer } = await setUp();
    expect(() => session.setRemote(peer.media({ rtp: { host: 'example.com', port: 4_000 } }))).toThrow('IPv4');
    expect(() => session.setRemote(peer.media({ rtp: { host: '127.0.0.1', port: 0 } }))).toThrow('port');
  });
});

describe('an RTP session receives', () => {
  it('audio, in order and in either law', async () => {
    const call = await setUpStarted();
    const { clock, session, peer } = call;
    for (const code of [0x80, 0x90, 0xa0, 0xb0]) peer.send(session.localPort, code);
    peer.send(session.localPort, 0xd5, { payloadType: 8 });
    await noticed(call, 5);
    const heard: (number | undefined)[] = [];
    for (let tick = 0; tick < 8; tick += 1) {
      clock.turn(20);
      heard.push(session.receive()?.[0]);
    }
    const expected = [
      ...decodeG711('PCMU', Uint8Array.of(0x80, 0x90, 0xa0, 0xb0)),
      ...decodeG711('PCMA', Uint8Array.of(0xd5)),
    ];
    expect(heard.slice(0, 5)).toEqual(expected);
  });

  it('no early media', async () => {
    const call = await setUp();
    const { clock, session, peer } = call;
    session.setRemote(peer.media());
    for (let packet = 0; packet < 5; packet += 1) peer.send(session.localPort, 0x80);
    peer.sendRaw(session.localPort, Buffer.from('end'));
    await noticed(call, 1);
    session.start();
    clock.turn(200);
    expect(session.receive()).toBeUndefined();
  });

  it('digits, once each, for the agent and for the listener', async () => {
    const call = await setUpStarted();
    const { events, session, peer } = call;
    for (const duration of [160, 320, 480, 480]) {
      const payload = Uint8Array.of(7, 0x0a, duration >> 8, duration & 0xff);
      peer.send(session.localPort, 0, { payloadType: 101, timestamp: 5_000 }, payload);
    }
    await noticed(call, 4);
    expect(events).toEqual([{ kind: 'digit', digit: '7' }]);
    expect(session.receiveDigits()).toBe('7');
    expect(session.receiveDigits()).toBe('');
  });

  it.each(['sound first', 'signaling first'])('keys that are reported in both ways once: %s', async (order) => {
    const call = await setUpStarted();
    const { session, peer } = call;
    const bySound = async () => {
      peer.send(session.localPort, 0, { payloadType: 101, timestamp: 5_000 }, Uint8Array.of(7, 0x8a, 3, 32));
      await noticed(call, 1);
    };
    if (order === 'sound first') await bySound();
    session.press('7');
    if (order === 'signaling first') await bySound();
    expect(session.receiveDigits()).toBe('7');
    expect(call.events).toEqual([{ kind: 'digit', digit: '7' }]);
  });

  it('no more digits from a flood by signaling either', async () => {
    const { clock, session } = await setUpStarted();
    session.press('1'.repeat(1_000));
    expect(session.receiveDigits()).toHaveLength(25);
    clock.turn(1_000);
    session.press('2');
    expect(session.receiveDigits()).toBe('2');
  });

  it('no more digits than a person can press', async () => {
    const call = await setUpStarted();
    const { clock, events, session, peer } = call;
    const press = async (from: number) => {
      for (let nth = 0; nth < 100; nth += 1) {
        const header = { payloadType: 101, timestamp: (from + nth) * 1_000 };
        peer.send(session.localPort, 0, header, Uint8Array.of(1, 0x8a, 3, 32));
      }
      await noticed(call, from + 100);
    };
    await press(0);
    expect(events).toHaveLength(25);
    clock.turn(1_000);
    await press(100);
    expect(events).toHaveLength(50);
  });

  it('another source from its second packet on, and ignores a stray one', async () => {
    const call = await setUpStarted();
    const { session, peer } = call;
    for (const ssrc of [7, 7, 99, 7, 99, 7, 8, 8, 8]) peer.send(session.localPort, 0x80, { ssrc });
    await noticed(call, 9);
    expect(session.report.received).toMatchObject({ packets: 6, lost: 2, ignored: 3 });
  });

  it('only RTP, and only in a negotiated format', async () => {
    const call = await setUpStarted();
    const { session, peer } = call;
    peer.sendRaw(session.localPort, Buffer.from('OPTIONS sip:you SIP/2.0\r\n\r\n'));
    peer.sendRaw(session.localPort, Buffer.alloc(0));
    peer.send(session.localPort, 0x80, { payloadType: 18 });
    peer.send(session.localPort, 0x80, {}, new Uint8Array(1_601));
    await noticed(call, 4);
    expect(session.report).toMatchObject({ invalid: 2, received: { ignored: 2 } });
    expect(session.receive()).toBeUndefined();
  });
});

describe('the far end of an RTP session', () => {
  it('is learned by its source port, and no stranger is heard after it', async () => {
    const call = await setUpStarted();
    const { clock, session, peer } = call;
    const moved = await openPeer();
    const stranger = await openPeer();
    moved.send(session.localPort, 0x80);
    await noticed(call, 1);
    stranger.send(session.localPort, 0x80);
    await noticed(call, 2);
    clock.turn(20);
    await moved.received(1);
    expect(session.report.strangers).toBe(1);
    expect(peer.packets).toHaveLength(0);
  });

  it('is never another host than the SDP names', async () => {
    const call = await setUpStarted();
    const { session } = call;
    const elsewhere = await openPeer('127.0.0.2');
    elsewhere.send(session.localPort, 0x80);
    await noticed(call, 1);
    expect(session.report).toMatchObject({ strangers: 1, received: { packets: 0 } });
  });

  it('is the first sender where that is allowed', async () => {
    const call = await setUpStarted({ learning: 'any_host' });
    const { clock, session } = call;
    const elsewhere = await openPeer('127.0.0.2');
    elsewhere.send(session.localPort, 0x80);
    await noticed(call, 1);
    clock.turn(20);
    await elsewhere.received(1);
    expect(session.report).toMatchObject({ strangers: 0 });
  });

  it('is reported silent once for every silence, and not while it should not send', async () => {
    const call = await setUpStarted();
    const { clock, events, session, peer } = call;
    clock.turn(NO_AUDIO_MS - 20);
    expect(events).toEqual([]);
    clock.turn(NO_AUDIO_MS * 3);
    expect(events).toEqual([{ kind: 'no_audio' }]);
    peer.send(session.localPort, 0x80);
    await noticed(call, 1);
    session.setRemote(peer.media({ direction: 'inactive' }));
    clock.turn(NO_AUDIO_MS * 3);
    session.setRemote(peer.media());
    clock.turn(NO_AUDIO_MS - 20);
    expect(events).toHaveLength(1);
    clock.turn(20);
    expect(events).toHaveLength(2);
  });
});

/** A far end's report on our stream. */
const OURS: ReportBlock = {
  ssrc: 0x1234_5678,
  fractionLost: 0,
  cumulativeLost: 12,
  highestSequence: 9,
  jitterSamples: 3,
  lastReport: 0,
  delaySinceLastReport: 0,
};

describe('RTCP', () => {
  it('reports every five seconds what was sent and what was lost', async () => {
    const call = await setUpStarted();
    const { clock, session, peer } = call;
    for (let nth = 0; nth < 10; nth += 1)
      if (nth !== 4) peer.send(session.localPort, 0x80, { sequenceNumber: (65_530 + nth) & 0xffff });
    await noticed(call, 9);
    clock.turn(5_000);
    await peer.reported(1);
    const report = parseRtcp(peer.reports[0] ?? Buffer.alloc(0));
    expect(report).toMatchObject({ ssrc: 0x1234_5678, bye: false });
    expect(report?.sentAt).not.toBeNull();
    expect(report?.blocks).toMatchObject([{ ssrc: 7, cumulativeLost: 1, fractionLost: 25, highestSequence: 65_539 }]);
    expect(peer.reports[0]?.readUInt32BE(20)).toBe(250);
    expect(peer.reports[0]?.readUInt32BE(24)).toBe(250 * 160);
  });

  it('is sent to where RTP comes from, when that differs from the SDP', async () => {
    const call = await setUpStarted();
    const { clock, session, peer } = call;
    const moved = await range.open();
    if (!moved) throw new Error('no port is free');
    open.push(moved);
    const reported = new Promise<Buffer>((resolve) => moved.listen({ onRtp: () => undefined, onRtcp: resolve }));
    const packet = Buffer.alloc(RTP_HEADER_BYTES);
    writeRtpHeader(packet, { marker: false, payloadType: 0, sequenceNumber: 1, timestamp: 2, ssrc: 3 });
    moved.sendRtp(packet, { host: '127.0.0.1', port: session.localPort });
    await noticed(call, 1);
    clock.turn(5_000);
    expect(parseRtcp(await reported)?.ssrc).toBe(0x1234_5678);
    expect(peer.reports).toHaveLength(0);
  });

  it('shows that a far end with silence suppression is alive', async () => {
    const { clock, events, session, peer } = await setUpStarted();
    clock.turn(NO_AUDIO_MS - 20);
    const alive = writeRtcp({ ssrc: 7, canonicalName: 'x', sender: null, block: OURS, bye: false });
    peer.sendRtcp(session.localPort + 1, alive);
    while (session.report.lostThere === null) await setImmediate();
    clock.turn(NO_AUDIO_MS - 20);
    expect(events).toEqual([]);
  });

  it('is not accepted from strangers', async () => {
    const call = await setUpStarted();
    const elsewhere = await openPeer('127.0.0.2');
    const report = writeRtcp({ ssrc: 7, canonicalName: 'x', sender: null, block: OURS, bye: false });
    elsewhere.sendRtcp(call.session.localPort + 1, report);
    await noticed(call, 1);
    expect(call.session.report).toMatchObject({ strangers: 1, lostThere: null });
  });

  it('learns the round trip and the far end’s losses', async () => {
    const { clock, session, peer } = await setUpStarted();
    clock.turn(5_000);
    await peer.reported(1);
    const sentAt = parseRtcp(peer.reports[0] ?? Buffer.alloc(0))?.sentAt ?? 0;
    clock.stall(130);
    const answer = { ...OURS, lastReport: sentAt, delaySinceLastReport: 6_554 };
    peer.sendRtcp(
      session.localPort + 1,
      writeRtcp({ ssrc: 7, canonicalName: 'x', sender: null, block: answer, bye: false }),
    );
    while (session.report.roundTripMs === null) await setImmediate();
    expect(session.report.roundTripMs).toBeCloseTo(30, 0);
    expect(session.report.lostThere).toBe(12);
  });
});
