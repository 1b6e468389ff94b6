import { PRODUCT_TIMINGS, workerTimings } from '../src/settings/timings.ts';

/** A worker that runs its rounds several times a second. Leases are the product's. */
export const QUICK_LOOPS = workerTimings({
  reconcileEveryMs: 300,
  compareGateEveryMs: 200,
  uploadEveryMs: 200,
  metricsFreshMs: 100,
});

/** Also renews leases every second, for a worker that must see an end request without its announcement. */
export const QUICK_RENEWALS = workerTimings({
  ...QUICK_LOOPS,
  lease: { ...PRODUCT_TIMINGS.lease, renewalMs: 1_000 },
});

/** With short leases: a crashed worker's calls are taken over after twelve seconds, and a worker may stall for nine. */
export const QUICK_LEASES = workerTimings({
  ...QUICK_LOOPS,
  lease: { leaseMs: 12_000, renewalMs: 3_000, marginMs: 3_000 },
});
