import { FRAME_MS, FRAME_SAMPLES, type Frame } from '@outdial/calls';
import { systemClock, type Clock } from '@outdial/kernel';
import {
  createUserAgent,
  openSocketTransport,
  type CallRequest,
  type ReferRequest,
  type Session,
  type SessionEnd,
  type SessionEvent,
} from '@outdial/sip';
import {
  createMediaClock,
  PortRange,
  randomCanonicalName,
  randomIdentity,
  remoteMediaOf,
  RtpSession,
} from '@outdial/telephony';
import { claimRtpPorts } from '@outdial/testkit';
import { isLoud } from './sound.ts';

const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);
/** A pause inside a sentence is shorter. */
const TURN_GAP_MS = 600;

/** One turn of the callee, in milliseconds since the first frame was heard. */
export interface HeardTurn {
  readonly startMs: number;
  readonly endMs: number;
}

/** One call on the caller's side: the events it received, what it hears, and what it says. */
export class TestCall {
  readonly events: SessionEvent[] = [];
  /** Every frame from the first media on, early media included. */
  readonly heard: Frame[] = [];
  readonly turns: HeardTurn[] = [];
  readonly #session: Session;
  readonly #rtp: RtpSession;
  readonly #waiting = new Set<() => void>();
  #toSay: Frame[] = [];
  #pressed = '';
  #turn: { startMs: number; endMs: number } | undefined;

  constructor(session: Session, rtp: RtpSession) {
    this.#session = session;
    this.#rtp = rtp;
    session.listen((event) => {
      if ('audio' in event && event.audio) {
        rtp.setRemote(remoteMediaOf(event.audio));
        rtp.start();
      }
      // As a telephone does that has hung up: another call may have the far end's port next.
      if (event.kind === 'ended') rtp.stop();
      this.events.push(event);
      this.#look();
    });
  }

  get nowMs(): number {
    return this.heard.length * FRAME_MS;
  }

  get isSpeaking(): boolean {
    return this.#toSay.length > 0;
  }

  get end(): SessionEnd | undefined {
    return this.events.flatMap((event) => (event.kind === 'ended' ? [event.end] : []))[0];
  }

  /** Waits until the condition holds; fails when the call ends first. */
  async until(condition: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!condition() && !this.end) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    if (!condition()) throw new Error(`the call ended before: ${JSON.stringify(this.end)}`);
  }

  has(kind: SessionEvent['kind']): boolean {
    return this.events.some((event) => event.kind === kind);
  }

  /** The provisional responses above 100, each once: a retransmitted INVITE is answered again. */
  get rang(): number[] {
    const codes = this.events.flatMap((event) => (event.kind === 'provisional' ? [event.sipCode] : []));
    return [...new Set(codes)];
  }

  async answered(): Promise<void> {
    await this.until(() => this.has('answered'));
  }

  async ended(): Promise<SessionEnd | undefined> {
    await this.until(() => this.end !== undefined);
    return this.end;
  }

  /** Waits for the end of the callee's turn with that number, counted from 1. */
  async turn(number: number): Promise<HeardTurn> {
    await this.until(() => this.turns.length >= number);
    const turn = this.turns[number - 1];
    if (!turn) throw new Error('turns are counted from 1');
    return turn;
  }

  /** Resolves once it was said. */
  async say(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      this.#toSay.push(samples.subarray(at, at + FRAME_SAMPLES));
    await this.until(() => !this.isSpeaking);
  }

  press(digits: string): void {
    this.#rtp.sendDigits(digits);
  }

  refer(request: ReferRequest): boolean {
    return this.#session.refer(request);
  }

  hangUp(): void {
    this.#session.hangUp();
  }

  /** The keys that the callee has pressed. */
  get pressed(): string {
    return this.#pressed;
  }

  /** Every 20 ms. */
  tick(): void {
    const spoken = this.#toSay.shift();
    if (spoken) this.#rtp.send(spoken);
    if (this.has('answered') || this.rang.includes(183)) this.#hear(this.#rtp.receive() ?? SILENCE);
    this.#pressed += this.#rtp.receiveDigits();
    this.#look();
  }

  #hear(frame: Frame): void {
    this.heard.push(frame.slice());
    if (isLoud(frame)) {
      this.#turn ??= { startMs: this.nowMs - FRAME_MS, endMs: 0 };
      this.#turn.endMs = this.nowMs;
    } else if (this.#turn && this.nowMs - this.#turn.endMs >= TURN_GAP_MS) {
      this.turns.push(this.#turn);
      this.#turn = undefined;
    }
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

export interface Caller {
  call(number: string, changes?: Partial<CallRequest>): Promise<TestCall>;
  close(): Promise<void>;
}

export interface CallerOptions {
  readonly sipPort: number;
  readonly transport?: 'udp' | 'tcp';
  /** For SIP only. */
  readonly clock?: Clock;
}

/** A caller on loopback: real sockets for SIP and RTP. */
export async function openCaller({ sipPort, transport = 'udp', clock = systemClock }: CallerOptions): Promise<Caller> {
  const sockets = await openSocketTransport({ address: '127.0.0.1', port: 0 });
  const agent = createUserAgent({ transport: sockets, clock, product: 'Test/1.0' });
  const claimed = await claimRtpPorts();
  const { firstPort, lastPort } = claimed;
  const ports = new PortRange({ address: '127.0.0.1', firstPort, lastPort });
  const failures: unknown[] = [];
  const mediaClock = createMediaClock({ clock: systemClock, onError: (error) => failures.push(error) });
  const open: { readonly rtp: RtpSession; stop(): void }[] = [];

  async function openRtp(): Promise<RtpSession> {
    const rtpSockets = await ports.open();
    if (!rtpSockets) throw new Error('no RTP port is free');
    return new RtpSession({
      sockets: rtpSockets,
      clock: systemClock,
      mediaClock,
      identity: randomIdentity(),
      canonicalName: randomCanonicalName(),
      random: Math.random,
      learning: 'same_host',
      noAudioAfterMs: Number.POSITIVE_INFINITY,
      onEvent: () => undefined,
      onSent: () => undefined,
    });
  }

  return {
    async call(number, changes = {}) {
      const rtp = await openRtp();
      const session = agent.call({
        trunk: 'test',
        target: `sip:${number}@127.0.0.1:${sipPort};transport=${transport}`,
        from: { uri: 'sip:+12025550199@127.0.0.1' },
        audio: { address: '127.0.0.1', port: rtp.localPort, codecs: ['PCMU'], dtmfPayloadType: 101, ptimeMs: 20 },
        ringTimeoutMs: 30_000,
        mayDial: () => true,
        ...changes,
      });
      const call = new TestCall(session, rtp);
      const ticks = mediaClock.subscribe(() => call.tick());
      open.push({ rtp, stop: () => ticks.cancel() });
      return call;
    },
    async close() {
      for (const call of open) call.stop();
      await Promise.all(open.map(({ rtp }) => rtp.close()));
      await agent.close();
      await claimed.release();
      if (failures.length > 0) throw failures[0];
    },
  };
}
