import { FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';
import { Concealment } from './concealment.ts';
import { PlayoutDelay } from './playout-delay.ts';
import { SampleWindow } from './sample-window.ts';
import { timestampDistance } from './serial-number.ts';
import { Surplus } from './surplus.ts';

const samplesOf = (ms: number): number => (ms * SAMPLE_RATE_HZ) / 1_000;

/** A longer delay makes a conversation impossible: the oldest samples are dropped. */
const MAX_BUFFERED_SAMPLES = samplesOf(500);
/** At the start of a stream, a packet that was overtaken by more than this is late. */
const REORDER_SAMPLES = samplesOf(200);
/** A packet older than this is not late: the sender's timestamps have jumped. */
const LATEST_SAMPLES = samplesOf(1_000);

export interface JitterCounts {
  /** Packets that came after their playout time. */
  readonly late: number;
  readonly duplicate: number;
  /** Frames that were concealed, wholly or in part. */
  readonly concealedFrames: number;
  /** Frames skipped to shorten the delay. */
  readonly skippedFrames: number;
}

/**
 * Turns packets of any length and order into one frame for every tick. Samples are kept by timestamp. The delay follows
 * the recent jitter of the network: it grows after a late packet, and shrinks once the surplus was not needed.
 */
export class JitterBuffer {
  readonly #window = new SampleWindow();
  readonly #delay = new PlayoutDelay();
  readonly #concealment = new Concealment();
  readonly #surplus = new Surplus();
  readonly #known = new Uint8Array(FRAME_SAMPLES);
  /** Of every tick: 50 new arrays a second for each call would have to be collected. */
  readonly #frame: Frame = new Int16Array(FRAME_SAMPLES);
  readonly #counts = { late: 0, duplicate: 0, concealedFrames: 0, skippedFrames: 0 };
  /** `gathering`: nothing plays until the buffer is full enough, or its content has waited long enough. */
  #state: 'unused' | 'gathering' | 'playing' = 'unused';
  /** Unwrapped timestamps: the next sample to play, and the end of the newest one. */
  #playAt = 0;
  #newestEnd = 0;
  /** While gathering: the oldest sample, and for how many frames it has waited. */
  #oldest: number | undefined;
  #gatheredFrames = 0;
  #packetSamples = FRAME_SAMPLES;
  /** The position of a packet that does not fit the stream. */
  #jumpTo: number | undefined;
  #mustHold = false;

  get counts(): JitterCounts {
    return { ...this.#counts };
  }

  /** Copies `samples`. `timestamp` as in the RTP header; `arrivedMs` by the monotonic clock. */
  insert(timestamp: number, samples: Int16Array, arrivedMs: number): void {
    const at = this.#newestEnd + timestampDistance(this.#newestEnd, timestamp);
    const end = at + samples.length;
    if (samples.length === 0 || !this.#follow(at, end)) return;
    this.#delay.observe(at, arrivedMs);
    this.#packetSamples = samples.length;
    if (end <= this.#playAt) {
      this.#onLate();
      return;
    }
    const from = Math.max(at, this.#playAt);
    // A view costs more than the copy of a packet. The usual packet, wholly before its time, needs none.
    const due = from === at ? samples : samples.subarray(from - at);
    if (this.#window.store(from, due) === 0) this.#counts.duplicate += 1;
    this.#newestEnd = Math.max(this.#newestEnd, end);
    if (this.#state === 'gathering') this.#oldest = Math.min(this.#oldest ?? from, from);
  }

  /** The frame of this tick, valid until the next one; undefined when there is nothing to play. */
  pull(): Frame | undefined {
    if (this.#state === 'gathering' && this.#waitedLongEnough()) this.#play();
    if (this.#state !== 'playing') return this.#conceal();
    if (this.#mustHold) {
      this.#mustHold = false;
      return this.#conceal();
    }
    this.#shorten();
    if (this.#playAt >= this.#newestEnd) {
      this.#gather();
      return this.#conceal();
    }
    return this.#take();
  }

  /** Another source, or a restart: drops the content. */
  reset(): void {
    this.#window.clear();
    this.#delay.reset();
    this.#concealment.reset();
    this.#state = 'unused';
    this.#jumpTo = undefined;
  }

  /** Whether a packet belongs to the stream. A single stray packet is dropped; two that agree restart the stream. */
  #follow(at: number, end: number): boolean {
    const jumpedTo = this.#jumpTo;
    this.#jumpTo = undefined;
    if (this.#state === 'unused') this.#restart(at);
    else if (this.#isIdle() && at >= this.#playAt) this.#resume(at);
    else if (at < this.#playAt - LATEST_SAMPLES || end > this.#playAt + SampleWindow.capacity) {
      if (jumpedTo === undefined || Math.abs(at - jumpedTo) > LATEST_SAMPLES) {
        this.#jumpTo = at;
        return false;
      }
      this.#restart(at);
    }
    return true;
  }

  /** The buffer is empty: after silence suppression, the stream may go on at any later time. */
  #isIdle(): boolean {
    return this.#state === 'gathering' ? this.#oldest === undefined : this.#playAt >= this.#newestEnd;
  }

  #resume(at: number): void {
    if (at - this.#playAt <= REORDER_SAMPLES) return;
    this.#playAt = at - REORDER_SAMPLES;
    this.#gather();
  }

  #restart(at: number): void {
    this.#window.clear();
    this.#delay.reset();
    this.#playAt = at - REORDER_SAMPLES;
    this.#newestEnd = at;
    this.#gather();
  }

  #gather(): void {
    this.#state = 'gathering';
    this.#oldest = undefined;
    this.#gatheredFrames = 0;
    this.#mustHold = false;
    this.#surplus.reset();
  }

  #waitedLongEnough(): boolean {
    if (this.#oldest === undefined) return false;
    this.#gatheredFrames += 1;
    const delaySamples = this.#delay.samples;
    // By time, so that the last words before a silence play too; by amount, after a burst.
    return (
      this.#gatheredFrames * FRAME_SAMPLES >= delaySamples ||
      this.#newestEnd - this.#oldest >= delaySamples + this.#packetSamples
    );
  }

  #play(): void {
    this.#playAt = this.#oldest ?? this.#playAt;
    this.#state = 'playing';
  }

  #onLate(): void {
    this.#counts.late += 1;
    // Waiting one frame lets packets that are equally late arrive in time from now on.
    if (this.#state === 'playing' && this.#newestEnd - this.#playAt < this.#delay.samples) this.#mustHold = true;
  }

  #shorten(): void {
    const heldSamples = this.#newestEnd - this.#playAt;
    if (heldSamples > MAX_BUFFERED_SAMPLES) {
      this.#skip(Math.floor((heldSamples - this.#delay.samples) / FRAME_SAMPLES));
      return;
    }
    this.#surplus.observe(heldSamples, this.#delay.samples + this.#packetSamples);
    if (!this.#surplus.any) return;
    if (this.#surplus.shouldSkip(this.#window.peak(this.#playAt, FRAME_SAMPLES))) this.#skip(1);
  }

  #skip(frames: number): void {
    this.#window.drop(this.#playAt, frames * FRAME_SAMPLES);
    this.#playAt += frames * FRAME_SAMPLES;
    this.#counts.skippedFrames += frames;
  }

  #take(): Frame | undefined {
    const frame = this.#frame;
    this.#window.take(this.#playAt, frame, this.#known);
    this.#playAt += FRAME_SAMPLES;
    if (!this.#known.includes(1)) return this.#conceal();
    if (this.#concealment.fadeMissing(frame, this.#known)) this.#counts.concealedFrames += 1;
    this.#concealment.heard(frame);
    return frame;
  }

  #conceal(): Frame | undefined {
    if (this.#concealment.isSilent) return undefined;
    this.#counts.concealedFrames += 1;
    this.#concealment.fade(this.#frame, 0, FRAME_SAMPLES);
    return this.#frame;
  }
}
