import { SENDER_TIMINGS } from '@outdial/webhooks';
import { expect, test } from 'vitest';
import { PRODUCT_TIMINGS, workerTimings } from './timings.ts';

test('the timings of the product match the README and are safe', () => {
  expect(workerTimings({})).toEqual({
    lease: { leaseMs: 60_000, renewalMs: 15_000, marginMs: 10_000 },
    reconcileEveryMs: 5_000,
    compareGateEveryMs: 15_000,
    retentionEveryMs: 3_600_000,
    requeueAnalysesEveryMs: 10_000,
    uploadEveryMs: 3_000,
    metricsFreshMs: 5_000,
    webhooks: SENDER_TIMINGS,
  });
  expect(workerTimings({})).toEqual(PRODUCT_TIMINGS);
});

test.each([
  ['no room for two renewals', { leaseMs: 10_000, renewalMs: 4_500, marginMs: 2_000 }, /two renewals of 4500 ms/],
  ['no margin', { leaseMs: 10_000, renewalMs: 2_000, marginMs: 0 }, /marginMs must be above 0/],
  ['no renewal', { leaseMs: 10_000, renewalMs: 0, marginMs: 1_000 }, /renewalMs and marginMs must be above 0/],
])('a lease with %s is rejected', (_, lease, message) => {
  expect(() => workerTimings({ lease })).toThrow(message);
});

test('a loop without a pause is rejected by its name', () => {
  expect(() => workerTimings({ reconcileEveryMs: 0 })).toThrow('reconcileEveryMs is 0: it must be above 0');
});
