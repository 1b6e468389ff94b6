import { LEASE_TIMES, leaseTimes, type LeaseTimes } from '@outdial/calls';

/** How often a worker does what it does again and again, in milliseconds. */
export interface WorkerTimings {
  readonly lease: LeaseTimes;
  /** A crash is mended within seconds; the walk costs a busy installation a few milliseconds a second. */
  readonly reconcileEveryMs: number;
  /** How long a recording is pending at most, beside its way to the store. Looking at the folder costs milliseconds. */
  readonly uploadEveryMs: number;
  /** Scrapes that come closer together than this share a reading of the stores. */
  readonly metricsFreshMs: number;
}

/** Those of the product. */
export const PRODUCT_TIMINGS: WorkerTimings = {
  lease: LEASE_TIMES,
  reconcileEveryMs: 5_000,
  uploadEveryMs: 3_000,
  metricsFreshMs: 5_000,
};

/** The product's, but for those given. @throws RangeError if a worker that keeps them would lose its calls. */
export function workerTimings(changes: Partial<WorkerTimings>): WorkerTimings {
  const timings = { ...PRODUCT_TIMINGS, ...changes };
  for (const name of ['reconcileEveryMs', 'uploadEveryMs', 'metricsFreshMs'] as const) {
    if (!(timings[name] > 0)) throw new RangeError(`${name} is ${timings[name]}: it must be above 0`);
  }
  return { ...timings, lease: leaseTimes(timings.lease) };
}
