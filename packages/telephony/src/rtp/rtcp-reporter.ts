import type { Clock } from '@outdial/kernel';
import type { Reception } from './reception.ts';
import { middleOfNtp, parseRtcp, writeRtcp } from './rtcp-packet.ts';

/** A day in 1/65,536 s exceeds 32 bits; no round trip takes a minute. */
const MAX_ROUND_TRIP_MS = 60_000;

export interface RtcpReporterOptions {
  readonly clock: Clock;
  readonly ssrc: number;
  /** Identifies the same sender across streams and reveals nothing about its host (RFC 7022). At most 255 bytes. */
  readonly canonicalName: string;
}

/** Our half of a session's RTCP: writes reports, and reads the far end's reports on our stream. */
export class RtcpReporter {
  readonly #options: RtcpReporterOptions;
  #reportedPackets = 0;
  #lastReport: { readonly sentAt: number; readonly arrivedMs: number } | undefined;
  #roundTripMs: number | null = null;
  #lostThere: number | null = null;

  constructor(options: RtcpReporterOptions) {
    this.#options = options;
  }

  /** Null before the far end reported. */
  get roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  /** How many of our packets the far end has lost, by its last report. */
  get lostThere(): number | null {
    return this.#lostThere;
  }

  /** The report to send. `source` is the received stream, null before there is one. */
  report(input: {
    readonly sent: { readonly packets: number; readonly octets: number; readonly timestamp: number };
    readonly source: { readonly ssrc: number; readonly reception: Reception } | null;
    readonly bye: boolean;
  }): Buffer {
    const { ssrc, canonicalName, clock } = this.#options;
    const { sent, source, bye } = input;
    const hasSent = sent.packets !== this.#reportedPackets;
    this.#reportedPackets = sent.packets;
    return writeRtcp({
      ssrc,
      canonicalName,
      sender: hasSent ? { wallMs: clock.nowMs(), ...sent } : null,
      block: source && { ssrc: source.ssrc, ...source.reception, ...this.#sinceLastReport() },
      bye,
    });
  }

  /** False if the datagram is not RTCP. */
  receive(datagram: Buffer): boolean {
    const { clock, ssrc } = this.#options;
    const report = parseRtcp(datagram);
    if (!report) return false;
    if (report.sentAt !== null) this.#lastReport = { sentAt: report.sentAt, arrivedMs: clock.monotonicMs() };
    const ours = report.blocks.find((block) => block.ssrc === ssrc);
    if (ours) {
      this.#lostThere = ours.cumulativeLost;
      if (ours.lastReport !== 0) this.#measure(ours.lastReport, ours.delaySinceLastReport);
    }
    return true;
  }

  #sinceLastReport(): { readonly lastReport: number; readonly delaySinceLastReport: number } {
    if (!this.#lastReport) return { lastReport: 0, delaySinceLastReport: 0 };
    const sinceMs = this.#options.clock.monotonicMs() - this.#lastReport.arrivedMs;
    return { lastReport: this.#lastReport.sentAt, delaySinceLastReport: Math.round(sinceMs * 65.536) >>> 0 };
  }

  /** RFC 3550 section 6.4.1: the time since our report, less the delay at the far end. */
  #measure(lastReport: number, delaySinceLastReport: number): void {
    const now = middleOfNtp(this.#options.clock.nowMs());
    const roundTripMs = ((now - lastReport - delaySinceLastReport) >>> 0) / 65.536;
    // If a clock was set in between, the result is meaningless.
    if (roundTripMs < MAX_ROUND_TRIP_MS) this.#roundTripMs = roundTripMs;
  }
}
