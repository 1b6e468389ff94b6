import { callIdSchema } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FencedOutcome } from '../ports/drive-store.ts';
import { instantOf, LEASE_MARGIN_MS, LEASE_MS, LEASE_RENEWAL_MS } from '../lease.ts';
import { createLeaseRenewer, type TrackedLease } from './lease-renewer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const seconds = () => Math.round(systemClock.monotonicMs() / 1_000);
const WRITTEN: FencedOutcome = { kind: 'written', endRequested: false };

/** A renewer whose events are recorded with the second at which they came. */
function renewerOf(renew: (callId: string) => Promise<FencedOutcome>) {
  const noted: string[] = [];
  const renewals: number[] = [];
  const renewer = createLeaseRenewer({
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    store: {
      renewLease: async ({ callId }) => {
        renewals.push(seconds());
        return renew(callId);
      },
    },
  });
  const track = (tail: number): TrackedLease => {
    const callId = callIdSchema.parse(`0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);
    const lease: TrackedLease = renewer.track({
      fencingToken: { callId, epoch: 1 },
      usage: () => null,
      turns: { unstored: () => [], markStored: () => undefined },
      since: instantOf(systemClock),
      onFenced: () => note('fenced', lease),
      onEndRequested: () => noted.push(`end@${seconds()}`),
      onLost: () => note('lost', lease),
    });
    return lease;
  };
  const note = (what: string, lease: TrackedLease) => {
    noted.push(`${what}@${seconds()}`);
    lease.drop();
  };
  return { renewer, track, noted, renewals };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a lease is renewed every fifteen seconds while it is tracked, and not after', async () => {
  const { track, renewals } = renewerOf(async () => WRITTEN);
  const lease = track(1);
  await pass(4 * LEASE_RENEWAL_MS + 4_000);
  expect(renewals).toHaveLength(4);
  lease.drop();
  await pass(LEASE_MS);
  expect(renewals).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

test('leases that were taken one after the other are renewed one after the other', async () => {
  const { track, renewals } = renewerOf(async () => WRITTEN);
  for (let index = 0; index < 5; index += 1) {
    track(index);
    await pass(2_000);
  }
  await pass(LEASE_RENEWAL_MS);
  expect(new Set(renewals).size).toBe(5);
});

test('a failing renewal is reported while there is time to hang up, and not earlier', async () => {
  let away = false;
  const { track, noted } = renewerOf(async () => {
    if (away) throw new Error('Postgres is away');
    return WRITTEN;
  });
  track(1);
  await pass(LEASE_RENEWAL_MS + 500);
  away = true;
  const renewedAtMs = LEASE_RENEWAL_MS;
  await pass(LEASE_MS - LEASE_MARGIN_MS - 2_000);
  expect(noted).toEqual([]);
  await pass(2_000);
  expect(noted).toEqual([`lost@${(renewedAtMs + LEASE_MS - LEASE_MARGIN_MS) / 1_000}`]);
});

test('a Postgres that hangs is given up before the lease expires', async () => {
  const { track, noted, renewals } = renewerOf(() => new Promise(() => undefined));
  track(1);
  await pass(LEASE_MS);
  expect(renewals).toHaveLength(1);
  expect(noted).toEqual([`lost@${(LEASE_MS - LEASE_MARGIN_MS) / 1_000}`]);
});

test('an outage that ends in time has no effect', async () => {
  let away = true;
  const { track, noted } = renewerOf(async () => {
    if (away) throw new Error('Postgres is away');
    return WRITTEN;
  });
  track(1);
  await pass(LEASE_MS - LEASE_MARGIN_MS - 2_000);
  away = false;
  await pass(LEASE_MS);
  expect(noted).toEqual([]);
});

test('a wall clock that jumps ahead triggers a renewal, and a machine that slept learns that it is too late', async () => {
  let fenced = false;
  const { track, noted, renewals } = renewerOf(async () => (fenced ? { kind: 'fenced' } : WRITTEN));
  track(1);
  await pass(1_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  await pass(1_000);
  expect(renewals).toHaveLength(1);
  expect(noted).toEqual([]);
  fenced = true;
  vi.setSystemTime(Date.now() + 3_600_000);
  await pass(1_000);
  expect(noted).toEqual(['fenced@3']);
});

test('a clock that is set back does not extend a lease', async () => {
  const { track, renewals } = renewerOf(async () => WRITTEN);
  track(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  await pass(LEASE_RENEWAL_MS + 1_000);
  expect(renewals).toHaveLength(1);
});

test('renewNow renews at once, and again if an answer in flight may be older than the announcement', async () => {
  let endRequested = false;
  const answers: (() => void)[] = [];
  const { renewer, track, noted } = renewerOf(
    () =>
      new Promise((resolve) => {
        const seen = endRequested;
        answers.push(() => resolve({ kind: 'written', endRequested: seen }));
      }),
  );
  const callId = callIdSchema.parse('0c000000-0000-4000-8000-000000000001');
  track(1);
  renewer.renewNow(callId);
  endRequested = true;
  renewer.renewNow(callId);
  renewer.renewNow(callId);
  answers[0]?.();
  await pass(0);
  expect(noted).toEqual([]);
  answers[1]?.();
  await pass(0);
  expect(noted).toEqual(['end@0']);
  expect(answers).toHaveLength(2);
});

test('an announcement for a call that is not driven here renews nothing', async () => {
  const { renewer, renewals } = renewerOf(async () => WRITTEN);
  renewer.renewNow(callIdSchema.parse('0c000000-0000-4000-8000-000000000009'));
  await pass(LEASE_MS);
  expect(renewals).toEqual([]);
});
