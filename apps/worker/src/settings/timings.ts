import { LEASE_TIMES, leaseTimes, type LeaseTimes } from '@outdial/calls';
import { SENDER_TIMINGS, type SenderTimings } from '@outdial/webhooks';

/** The intervals of a worker's periodic work, in milliseconds. */
export interface WorkerTimings {
  readonly lease: LeaseTimes;
  /** A crash is repaired within seconds; the walk costs a busy installation a few milliseconds a second. */
  readonly reconcileEveryMs: number;
  /** Drift is known after two comparisons: with the pause's jitter, within a minute. */
  readonly compareGateEveryMs: number;
  /** Old data is deleted as often. */
  readonly retentionEveryMs: number;
  /** How soon an analysis that lost its job gets it back, after it is overdue. */
  readonly requeueAnalysesEveryMs: number;
  /** The longest that a recording stays pending, beyond its upload. Reading the folder costs milliseconds. */
  readonly uploadEveryMs: number;
  /** Scrapes closer together than this share one read of the stores. */
  readonly metricsFreshMs: number;
  /** Of sending webhooks. */
  readonly webhooks: SenderTimings;
}

/** The timings of the product. */
export const PRODUCT_TIMINGS: WorkerTimings = {
  lease: LEASE_TIMES,
  reconcileEveryMs: 5_000,
  compareGateEveryMs: 15_000,
  retentionEveryMs: 3_600_000,
  requeueAnalysesEveryMs: 10_000,
  uploadEveryMs: 3_000,
  metricsFreshMs: 5_000,
  webhooks: SENDER_TIMINGS,
};

/** The product's timings with the given overrides. @throws RangeError if a worker with them would lose its calls */
export function workerTimings(changes: Partial<WorkerTimings>): WorkerTimings {
  const timings = { ...PRODUCT_TIMINGS, ...changes };
  const { lease, webhooks: _, ...intervals } = timings;
  for (const [name, interval] of Object.entries(intervals)) {
    if (!(interval > 0)) throw new RangeError(`${name} is ${interval}: it must be above 0`);
  }
  return { ...timings, lease: leaseTimes(lease) };
}
