import { isIPv4 } from 'node:net';
import { FRAME_MS, FRAME_SAMPLES, type Frame, type LegMedia } from '@outdial/calls';
import { invariant, type Clock } from '@outdial/kernel';
import { SILENCE } from '../media/frames.ts';
import type { MediaClock, TickSubscription } from '../media/media-clock.ts';
import { DigitInbox, type DigitSource } from './digit-inbox.ts';
import { receives, sends, type Endpoint, type RemoteMedia, type SourceLearning } from './remote-media.ts';
import { RtcpReporter } from './rtcp-reporter.ts';
import { parseRtpPacket } from './rtp-packet.ts';
import { RtpReceiver, type ReceivedStream } from './rtp-receiver.ts';
import { RtpSender, type RtpIdentity } from './rtp-sender.ts';
import type { RtpSockets } from './rtp-sockets.ts';
import { SilenceWatch } from './silence-watch.ts';
import { SourceFilter } from './source-filter.ts';

/** The limit of queued audio; a far end plays at most a second late. */
const MAX_QUEUE_FRAMES = 50;
/** RFC 3550 section 6.2: five seconds, randomized between half and one and a half of it. */
const RTCP_INTERVAL_TICKS = 5_000 / FRAME_MS;

export type RtpSessionEvent =
  | { readonly kind: 'digit'; readonly digit: string }
  /** No packet came for `noAudioAfterMs` although the far end should send. Emitted once for every such silence. */
  | { readonly kind: 'no_audio' };

export interface RtpSessionOptions {
  readonly sockets: RtpSockets;
  readonly clock: Clock;
  readonly mediaClock: MediaClock;
  readonly identity: RtpIdentity;
  readonly canonicalName: string;
  /** In [0, 1), for RTCP intervals. */
  readonly random: () => number;
  readonly learning: SourceLearning;
  readonly noAudioAfterMs: number;
  readonly onEvent: (event: RtpSessionEvent) => void;
  /** Called for every packet of voice or digits with how late it was sent. */
  readonly onSent: (latenessMs: number) => void;
}

/** Statistics of a session, in packets and frames. */
export interface RtpReport {
  readonly sentPackets: number;
  readonly received: ReceivedStream;
  /** Datagrams that were not RTP, and those of strangers. */
  readonly invalid: number;
  readonly strangers: number;
  readonly roundTripMs: number | null;
  /** Our packets lost, as the far end reports; null if it never did. */
  readonly lostThere: number | null;
}

/**
 * The media of one leg over RTP. From `start` on it sends a packet at every tick, silence included, and received audio
 * is available frame by frame. Before that it sends nothing and drops early media.
 */
export class RtpSession implements LegMedia {
  readonly #options: RtpSessionOptions;
  readonly #sender: RtpSender;
  readonly #receiver = new RtpReceiver((digit) => this.#onDigit(digit, 'sound'));
  readonly #reporter: RtcpReporter;
  readonly #source: SourceFilter;
  readonly #silence: SilenceWatch;
  readonly #digits = new DigitInbox();
  #remote: RemoteMedia | undefined;
  #ticks: TickSubscription | undefined;
  #queue: Frame[] = [];
  /** Frames that were sent. Usually one takes turns with the queue. */
  #free: Frame[] = [];
  #ticksUntilReport = 0;
  #invalid = 0;
  #strangers = 0;
  #stopped = false;
  #isHushed = false;

  constructor(options: RtpSessionOptions) {
    const { sockets, clock, identity, canonicalName, learning, noAudioAfterMs } = options;
    this.#options = options;
    this.#sender = new RtpSender(identity);
    this.#reporter = new RtcpReporter({ clock, ssrc: identity.ssrc, canonicalName });
    this.#source = new SourceFilter(learning);
    this.#silence = new SilenceWatch(noAudioAfterMs);
    sockets.listen({
      onRtp: (datagram, sender) => this.#onRtp(datagram, sender),
      onRtcp: (datagram, sender) => this.#onRtcp(datagram, sender),
    });
  }

  get localPort(): number {
    return this.#options.sockets.rtpPort;
  }

  /** Applies the far end's SDP, the first and every later one. */
  setRemote(remote: RemoteMedia): void {
    const reachable = isReachable(remote.rtp) && (!remote.rtcp || isReachable(remote.rtcp));
    invariant(reachable, 'RTP needs an IPv4 address and a port of 1 … 65535');
    this.#remote = remote;
    this.#source.signal(remote.rtp, remote.learning);
  }

  /**
   * The callee has answered. The speaker must subscribe to the clock first, so that its frame is sent in the same tick.
   */
  start(): void {
    if (this.#ticks || this.#stopped) return;
    this.#ticksUntilReport = this.#nextReport();
    this.#ticks = this.#options.mediaClock.subscribe((dueMs) => this.#tick(dueMs));
  }

  receive(): Frame | undefined {
    return this.#receiver.pull();
  }

  send(frame: Frame): void {
    if (this.#stopped) return;
    const kept = (this.#queue.length === MAX_QUEUE_FRAMES ? this.#queue.shift() : this.#free.pop()) ?? newFrame();
    kept.set(frame);
    this.#queue.push(kept);
  }

  /** Mutes the session: while it is on, no audio is sent, and queued audio is lost. */
  mute(on: boolean): void {
    this.#isHushed = on;
  }

  clear(): number {
    const droppedMs = this.#queue.length * FRAME_MS;
    this.#queue = [];
    return droppedMs;
  }

  receiveDigits(): string {
    return this.#digits.take();
  }

  /** Digits received outside the media. Dropped before `start` and after `stop`. */
  press(digits: string): void {
    if (!this.#ticks || this.#stopped) return;
    for (const digit of digits) this.#onDigit(digit, 'signalling');
  }

  sendDigits(digits: string): void {
    this.#sender.queueDigits(digits, this.#remote?.eventPayloadType !== null);
  }

  /** Sends the last RTCP packet, a BYE. From here on nothing is sent, and what arrives is ignored. Idempotent. */
  stop(): void {
    if (this.#ticks && !this.#stopped) this.#report(true);
    this.#stopped = true;
    this.#ticks?.cancel();
    this.#queue = [];
  }

  /** Stops, and frees the ports. Idempotent. */
  close(): Promise<void> {
    this.stop();
    return this.#options.sockets.close();
  }

  get report(): RtpReport {
    return {
      sentPackets: this.#sender.totals.packets,
      received: this.#receiver.totals,
      invalid: this.#invalid,
      strangers: this.#strangers,
      roundTripMs: this.#reporter.roundTripMs,
      lostThere: this.#reporter.lostThere,
    };
  }

  #tick(dueMs: number): void {
    const queued = this.#queue.shift();
    const to = this.#source.destination;
    if (this.#remote && to && sends(this.#remote.direction) && !this.#isHushed) {
      this.#options.sockets.sendRtp(this.#sender.next(queued ?? SILENCE, this.#remote), to);
      this.#options.onSent(this.#options.clock.monotonicMs() - dueMs);
    } else this.#sender.pause();
    if (queued) this.#free.push(queued);
    this.#digits.tick();
    if (this.#silence.tick(this.#remote !== undefined && receives(this.#remote.direction)))
      this.#options.onEvent({ kind: 'no_audio' });
    this.#ticksUntilReport -= 1;
    if (this.#ticksUntilReport > 0) return;
    this.#report(false);
    this.#ticksUntilReport = this.#nextReport();
  }

  #onRtp(datagram: Buffer, sender: Endpoint): void {
    const remote = this.#remote;
    if (!remote || this.#stopped) return;
    const packet = parseRtpPacket(datagram);
    if (!packet) this.#invalid += 1;
    else if (!this.#source.accepts(sender)) this.#strangers += 1;
    else if (this.#ticks && receives(remote.direction)) {
      this.#silence.heard();
      this.#receiver.receive(packet, remote, this.#options.clock.monotonicMs());
    }
  }

  #onRtcp(datagram: Buffer, sender: Endpoint): void {
    if (this.#stopped) return;
    if (sender.host !== this.#source.destination?.host) this.#strangers += 1;
    else if (!this.#reporter.receive(datagram)) this.#invalid += 1;
    // A far end that suppresses silence still sends reports.
    else this.#silence.heard();
  }

  #onDigit(digit: string, way: DigitSource): void {
    if (this.#digits.put(digit, way)) this.#options.onEvent({ kind: 'digit', digit });
  }

  #report(bye: boolean): void {
    const to = this.#rtcpDestination();
    const source = this.#receiver.source;
    if (!to) return;
    const reception = source && { ssrc: source.ssrc, reception: source.counter.report() };
    this.#options.sockets.sendRtcp(this.#reporter.report({ sent: this.#sender.totals, source: reception, bye }), to);
  }

  /** A far end that does not send from its SDP's address is behind a NAT: RTCP goes to the port after RTP's there. */
  #rtcpDestination(): Endpoint | undefined {
    const to = this.#source.destination;
    if (!this.#remote || !to) return undefined;
    const { rtp, rtcp } = this.#remote;
    if (rtcp && to.host === rtp.host && to.port === rtp.port) return rtcp;
    return to.port < 65_535 ? { host: to.host, port: to.port + 1 } : undefined;
  }

  #nextReport(): number {
    return Math.round(RTCP_INTERVAL_TICKS * (0.5 + this.#options.random()));
  }
}

const newFrame = (): Frame => new Int16Array(FRAME_SAMPLES);

const isReachable = ({ host, port }: Endpoint): boolean =>
  isIPv4(host) && Number.isInteger(port) && port > 0 && port < 65_536;
