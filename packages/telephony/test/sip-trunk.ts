import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { DialRequest, Leg, LegDialog, LegEvent, Trunk, VoiceAgentFactory } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createLogger, systemClock, type Clock } from '@outdial/kernel';
import {
  createUserAgent,
  openSocketTransport,
  parseNameAddr,
  parseSipUri,
  systemResolver,
  type IncomingSession,
  type LocalAudio,
  type Resolver,
  type SessionEvent,
  type UserAgentOptions,
} from '@outdial/sip';
import { claimRtpPorts } from '@outdial/testkit';
import { createMediaClient } from '../src/media-thread/media-client.ts';
import { createMediaHost } from '../src/media-thread/media-host.ts';
import { createSipCarrier } from '../src/sip-carrier/sip-carrier.ts';
import { createTrunkMonitor } from '../src/sip-carrier/trunk-monitor.ts';
import { dialRequest, settings } from '../src/testing/dial-request.ts';
import { CountingAgent } from './counting-conversation.ts';
import { MemoryRecordings } from '../src/testing/memory-recordings.ts';
import { RtpPeer } from './rtp-peer.ts';

const none = () => undefined;
const logger = createLogger({ name: 'test', level: 'silent' });

/** Real time, that many times faster, for SIP timers of half a minute. */
export const faster = (times: number): Clock => ({
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs() * times,
  after: (delayMs, run) => systemClock.after(delayMs / times, run),
});

/** The far end of a trunk: a user agent on real sockets that handles each call as the test says. */
export class TrunkPeer {
  readonly calls: IncomingSession[] = [];
  readonly events: SessionEvent[][] = [];
  readonly uri: string;
  readonly sound: RtpPeer;
  readonly #close: () => Promise<void>;
  #wake: (() => void)[] = [];

  private constructor(parts: { readonly uri: string; readonly sound: RtpPeer; readonly close: () => Promise<void> }) {
    this.uri = parts.uri;
    this.sound = parts.sound;
    this.#close = parts.close;
  }

  static async open(
    onCall: (call: IncomingSession, peer: TrunkPeer) => void,
    options: Pick<UserAgentOptions, 'authentication'> & { readonly clock?: Clock } = {},
  ): Promise<TrunkPeer> {
    const transport = await openSocketTransport({ address: '127.0.0.1', port: 0 });
    const userAgent = createUserAgent({ transport, clock: systemClock, product: 'peer', ...options });
    const sound = await RtpPeer.open();
    const close = async () => void (await Promise.all([userAgent.close(), sound.close()]));
    const peer = new TrunkPeer({ uri: `sip:127.0.0.1:${transport.port}`, sound, close });
    userAgent.onInvite((call) => {
      const events: SessionEvent[] = [];
      peer.calls.push(call);
      peer.events.push(events);
      call.listen((event) => {
        events.push(event);
        peer.#notify();
      });
      onCall(call, peer);
      peer.#notify();
    });
    return peer;
  }

  get audio(): LocalAudio {
    const { host, port } = this.sound.endpoint;
    return { address: host, port, codecs: ['PCMU'], dtmfPayloadType: 101, ptimeMs: 20 };
  }

  /** Resolves once `happened` is true; checked whenever something arrives. */
  async until(happened: (peer: TrunkPeer) => boolean): Promise<void> {
    while (!happened(this)) await new Promise<void>((wake) => this.#wake.push(wake));
  }

  /** How its last call ended, once it has. */
  async ended(): Promise<string> {
    const outcome = () =>
      this.events.at(-1)?.flatMap((event) => (event.kind === 'ended' ? [event.end.outcome] : []))[0];
    await this.until(() => outcome() !== undefined);
    return outcome() ?? '';
  }

  async close(): Promise<void> {
    await this.#close();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export interface CarrierWorldOptions {
  readonly trunks: readonly Trunk[];
  readonly clock?: Clock;
  readonly agents?: VoiceAgentFactory;
  readonly noAudioAfterMs?: number;
  readonly resolver?: Resolver;
  /** Whose certificates are trusted. Default: Node's own authorities. */
  readonly authority?: string;
}

/** Our side: a carrier with its user agent and its media, as a worker composes them. */
export async function openCarrier({
  trunks,
  clock = systemClock,
  agents,
  noAudioAfterMs = 60_000,
  resolver = systemResolver,
  authority,
}: CarrierWorldOptions) {
  const tls = authority === undefined ? {} : { tls: { client: { ca: authority } } };
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0, ...tls });
  const userAgent = createUserAgent({ transport, clock, product: 'test', resolver });
  const { port1, port2 } = new MessageChannel();
  const recordings = new MemoryRecordings();
  const ports = await claimRtpPorts();
  const host = createMediaHost({
    port: port2,
    clock: systemClock,
    agents: agents ?? { prepare: () => Promise.resolve(new CountingAgent()) },
    recordings,
    rtpPorts: { address: '127.0.0.1', firstPort: ports.firstPort, lastPort: ports.lastPort },
    learning: 'same_host',
    noAudioAfterMs,
    metricsEveryMs: 60_000,
  });
  const media = createMediaClient({ port: port1, clock: systemClock, onMetrics: none, onError: none, onLost: none });
  const book = { all: () => Promise.resolve(trunks) };
  const health = createTrunkMonitor({ userAgent, trunks: book, clock, logger });
  const carrier = createSipCarrier({
    userAgent,
    media,
    mediaAddress: '127.0.0.1',
    trunks: book,
    health,
    clock,
    logger,
  });
  const close = async () => {
    health.close();
    await userAgent.close();
    media.close();
    await host.close();
    await ports.release();
  };
  return { carrier, media, health, recordings, close };
}

export type CarrierWorld = Awaited<ReturnType<typeof openCarrier>>;

/** A call as a driver places it, with everything that it reported. */
export class PlacedCall {
  readonly callId: CallId;
  readonly leg: Leg;
  readonly events: LegEvent[] = [];
  readonly attempts: string[] = [];
  /** The description stored before the last attempt's first INVITE, as read back. */
  begunWith: LegDialog = {};
  /** The last reported description, likewise. */
  dialog: LegDialog = {};
  #wake: (() => void)[] = [];

  constructor({ carrier, media }: Pick<CarrierWorld, 'carrier' | 'media'>, changes: Partial<DialRequest> = {}) {
    const begin = changes.beginAttempt ?? (async () => 'begun' as const);
    const request = dialRequest('+12025550100', {
      ...changes,
      rightEndsAtMs: () => systemClock.monotonicMs() + 50_000,
      beginAttempt: (trunk, dialog) => {
        this.attempts.push(trunk.name);
        this.#store(dialog);
        this.begunWith = this.dialog;
        return begin(trunk, dialog);
      },
    });
    this.callId = request.callId;
    this.leg = carrier.dial(request);
    const { leg, events } = this;
    const conversation = media.conversations.open({ callId: request.callId, leg, settings, variables: {} });
    leg.listen((event) => {
      events.push(event);
      if (event.kind === 'answered') conversation.answered();
      if (event.kind === 'on_hold') conversation.setOnHold(event.isOnHold);
      if (event.kind === 'dialog') this.#store(event.dialog);
      if (event.kind === 'ended') void conversation.finish();
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  #store(dialog: LegDialog): void {
    this.dialog = JSON.parse(JSON.stringify(dialog));
  }

  async until(kind: LegEvent['kind']): Promise<void> {
    while (!this.events.some((event) => event.kind === kind)) {
      await new Promise<void>((wake) => this.#wake.push(wake));
    }
  }

  async end() {
    await this.until('ended');
    const ends = this.events.flatMap((event) => (event.kind === 'ended' ? [event.end] : []));
    if (ends.length !== 1 || !ends[0]) throw new Error(`the leg ended ${ends.length} times`);
    return ends[0];
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind).filter((kind) => kind !== 'dialog');
  }
}

/** Sends digits by INFO, as gateways without events do. `cseq` counts from 1. */
export async function sendInfos(call: IncomingSession, digits: string): Promise<void> {
  const { request, localTag } = call;
  const contact = parseNameAddr(request.headers.get('contact') ?? '');
  const uri = contact && parseSipUri(contact.uri);
  if (!contact || !uri) throw new Error('the INVITE has no Contact');
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  for (const [index, digit] of Array.from(digits).entries()) {
    const body = `Signal=${digit}\r\nDuration=160\r\n`;
    const message = [
      `INFO ${contact.uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${localTag}${index};rport`,
      'Max-Forwards: 70',
      `From: ${request.headers.get('to') ?? ''};tag=${localTag}`,
      `To: ${request.headers.get('from') ?? ''}`,
      `Call-ID: ${request.callId}`,
      // Above whatever the session itself has sent.
      `CSeq: ${100_000 + index} INFO`,
      'Content-Type: application/dtmf-relay',
      `Content-Length: ${body.length}`,
    ];
    const answered = once(socket, 'message');
    socket.send(`${message.join('\r\n')}\r\n\r\n${body}`, uri.port ?? 5060, uri.host);
    await answered;
  }
  socket.close();
}

/** A port that accepts packets and answers nothing, or only what a test asks for. */
export async function openMute(
  onMessage: (socket: Socket, sender: RemoteInfo) => void = none,
): Promise<{ readonly uri: string; readonly heard: string[]; close(): Promise<void> }> {
  const socket = createSocket('udp4');
  const heard: string[] = [];
  socket.on('message', (datagram, sender) => {
    heard.push(datagram.toString().split(' ', 1)[0] ?? '');
    onMessage(socket, sender);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    uri: `sip:127.0.0.1:${socket.address().port}`,
    heard,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
