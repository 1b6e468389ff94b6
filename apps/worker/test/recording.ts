const HEADER_BYTES = 44;
const SAMPLES_PER_MS = 8;
/** 20 ms: short enough that a spoken word fills many. */
const WINDOW = 160;

/** One side of a recording: 8 kHz. */
export class Channel {
  readonly samples: Int16Array;

  constructor(samples: Int16Array) {
    this.samples = samples;
  }

  get lengthMs(): number {
    return this.samples.length / SAMPLES_PER_MS;
  }

  /** Root mean square of an interval; 0 for an empty one. */
  level(fromMs = 0, toMs = this.lengthMs): number {
    const stretch = this.between(fromMs, toMs);
    let energy = 0;
    for (const sample of stretch) energy += sample * sample;
    return stretch.length === 0 ? 0 : Math.sqrt(energy / stretch.length);
  }

  /** The loudest sample outside all of these intervals. */
  peakOutside(stretches: readonly { readonly start_ms: number; readonly end_ms: number }[]): number {
    let peak = 0;
    for (const [at, sample] of this.samples.entries()) {
      const ms = at / SAMPLES_PER_MS;
      if (stretches.some(({ start_ms, end_ms }) => ms >= start_ms && ms < end_ms)) continue;
      peak = Math.max(peak, Math.abs(sample));
    }
    return peak;
  }

  /** How long a pure tone of that frequency lasted: counts the windows that contain nothing else. */
  toneMs(hz: number): number {
    let windows = 0;
    for (let at = 0; at + WINDOW <= this.samples.length; at += WINDOW) {
      const window = this.samples.subarray(at, at + WINDOW);
      if (shareAt(window, hz) > 0.95) windows += 1;
    }
    return (windows * WINDOW) / SAMPLES_PER_MS;
  }

  /**
   * How long the ringing tone of 440 and 480 Hz lasted: counts the windows that contain nothing else. Both have whole
   * periods in 25 ms, so that neither counts for the other.
   */
  get ringingMs(): number {
    const window = 200;
    let windows = 0;
    for (let at = 0; at + window <= this.samples.length; at += window) {
      const stretch = this.samples.subarray(at, at + window);
      if (shareAt(stretch, 440) + shareAt(stretch, 480) > 0.95) windows += 1;
    }
    return (windows * window) / SAMPLES_PER_MS;
  }

  /** The share of energy between two frequencies, by a Fourier sum every 50 Hz. */
  share(fromHz: number, toHz: number): number {
    const bins = new Map<number, number>();
    for (let at = 0; at + WINDOW <= this.samples.length; at += WINDOW) {
      const window = this.samples.subarray(at, at + WINDOW);
      for (let hz = 50; hz < 4_000; hz += 50) bins.set(hz, (bins.get(hz) ?? 0) + powerAt(window, hz));
    }
    const sum = (from: number, to: number) =>
      [...bins].reduce((total, [hz, power]) => (hz >= from && hz < to ? total + power : total), 0);
    return sum(fromHz, toHz) / Math.max(1, sum(0, 4_000));
  }

  between(fromMs: number, toMs: number): Int16Array {
    return this.samples.subarray(Math.round(fromMs * SAMPLES_PER_MS), Math.round(toMs * SAMPLES_PER_MS));
  }
}

/** Callee and agent of a stereo WAV. @throws if it is not 8 kHz and 16 bits, or its header has wrong sizes */
export function readRecording(wav: Buffer): { readonly callee: Channel; readonly agent: Channel } {
  const header = [wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34), wav.readUInt32LE(40)].join();
  const expected = [2, 8_000, 16, wav.length - HEADER_BYTES].join();
  if (header !== expected) throw new Error(`the recording's header says ${header}, and should say ${expected}`);
  const length = (wav.length - HEADER_BYTES) / 4;
  const channel = (offset: number) =>
    new Channel(Int16Array.from({ length }, (_, at) => wav.readInt16LE(HEADER_BYTES + 4 * at + offset)));
  return { callee: channel(0), agent: channel(2) };
}

/** Goertzel, independent of the product's code. */
function powerAt(samples: Int16Array, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / 8_000);
  let [one, two] = [0, 0];
  for (const sample of samples) [one, two] = [sample + turn * one - two, one];
  return one * one + two * two - turn * one * two;
}

function shareAt(samples: Int16Array, hz: number): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return energy < 1e6 ? 0 : (2 * powerAt(samples, hz)) / (samples.length * energy);
}
