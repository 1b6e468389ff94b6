import { SAMPLE_RATE_HZ } from '@outdial/calls';
import { sequenceDistance } from './serial-number.ts';

/** A larger gap is not loss: the sender restarted its numbering (RFC 3550 appendix A.1). */
const MAX_GAP = 3_000;
/** Cumulative loss is a signed 24-bit number. */
const MAX_LOST = 0x7f_ffff;

/** Reception statistics of one source: the fields of a report block (RFC 3550 section 6.4.1). */
export interface Reception {
  /** In 1/256, since the last report. */
  readonly fractionLost: number;
  readonly cumulativeLost: number;
  /** The highest sequence number, extended by its wraps; 32 bits. */
  readonly highestSequence: number;
  /** In samples. */
  readonly jitterSamples: number;
}

/** Counts the received packets of one source (RFC 3550 appendices A.3 and A.8). */
export class ReceptionCounter {
  #started = false;
  #first = 0;
  #highest = 0;
  #received = 0;
  /** Packets expected before the sender restarted its numbering. */
  #expectedBefore = 0;
  #transitSamples: number | undefined;
  #jitterSamples = 0;
  #reportedExpected = 0;
  #reportedReceived = 0;

  /**
   * `sampledAt` is the RTP timestamp; null if it does not show the sampling time. `arrivedMs` by the monotonic clock.
   */
  add(sequenceNumber: number, sampledAt: number | null, arrivedMs: number): void {
    const distance = this.#started ? sequenceDistance(this.#highest & 0xffff, sequenceNumber) : 0;
    if (!this.#started || Math.abs(distance) > MAX_GAP) this.#restart(sequenceNumber);
    else if (distance > 0) this.#highest += distance;
    this.#received += 1;
    if (sampledAt !== null) this.#addTransit(sampledAt, arrivedMs);
  }

  get jitterMs(): number {
    return (this.#jitterSamples * 1_000) / SAMPLE_RATE_HZ;
  }

  get received(): number {
    return this.#received;
  }

  /** Packets expected but not received; negative when packets were duplicated. */
  get lost(): number {
    return this.#expected() - this.#received;
  }

  /** The current report; the next report counts its fraction from here. */
  report(): Reception {
    const expected = this.#expected();
    const expectedNow = expected - this.#reportedExpected;
    const lostNow = expectedNow - (this.#received - this.#reportedReceived);
    this.#reportedExpected = expected;
    this.#reportedReceived = this.#received;
    return {
      fractionLost: expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
      cumulativeLost: Math.max(-MAX_LOST, Math.min(MAX_LOST, this.lost)),
      highestSequence: this.#highest >>> 0,
      jitterSamples: Math.round(this.#jitterSamples),
    };
  }

  #expected(): number {
    return this.#expectedBefore + (this.#started ? this.#highest - this.#first + 1 : 0);
  }

  #restart(sequenceNumber: number): void {
    this.#expectedBefore = this.#expected();
    this.#started = true;
    this.#first = sequenceNumber;
    this.#highest = sequenceNumber;
    this.#transitSamples = undefined;
  }

  #addTransit(sampledAt: number, arrivedMs: number): void {
    const transit = (arrivedMs * SAMPLE_RATE_HZ) / 1_000 - sampledAt;
    if (this.#transitSamples !== undefined) {
      const change = Math.abs(transit - this.#transitSamples);
      // A wrap or a jump of the sender's clock is not jitter.
      if (change < SAMPLE_RATE_HZ) this.#jitterSamples += (change - this.#jitterSamples) / 16;
    }
    this.#transitSamples = transit;
  }
}
