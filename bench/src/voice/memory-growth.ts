import { setTimeout as sleep } from 'node:timers/promises';
import type { Subprocess } from '../processes.ts';
import { usageOf } from './worker-watch.ts';

const SAMPLE_EVERY_MS = 5_000;
/** A starting process allocates memory once: growth after this share of the time is a leak. */
const SETTLED_SHARE = 1 / 3;

export interface MemorySample {
  readonly minute: number;
  readonly rssKb: number;
}

/** Resident memory of a process with the probe, for so long. */
export async function sampleMemory(worker: Subprocess, ms: number): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = [];
  const startedMs = performance.now();
  while (performance.now() - startedMs < ms) {
    await sleep(SAMPLE_EVERY_MS);
    const { rssBytes } = await usageOf(worker);
    samples.push({ minute: (performance.now() - startedMs) / 60_000, rssKb: rssBytes / 1_024 });
  }
  return samples;
}

/** The slope of the best-fitting line, in KB per minute. */
export function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (of: (sample: MemorySample) => number) =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [minute, rssKb] = [mean((sample) => sample.minute), mean((sample) => sample.rssKb)];
  const covariance = mean((sample) => (sample.minute - minute) * (sample.rssKb - rssKb));
  return covariance / mean((sample) => (sample.minute - minute) ** 2);
}

export function settledPart(samples: readonly MemorySample[]): readonly MemorySample[] {
  return samples.slice(Math.floor(samples.length * SETTLED_SHARE));
}
