import { callIdSchema } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FencedOutcome } from '../ports/drive-store.ts';
import { instantOf, LEASE_MARGIN_MS, LEASE_MS, LEASE_RENEWAL_MS } from './lease.ts';
import { createLeaseRenewer, type TrackedLease } from './lease-renewer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const seconds = () => Math.round(systemClock.monotonicMs() / 1_000);
const WRITTEN: FencedOutcome = { kind: 'written', endRequested: false };

/** A keeper with leases of its own, each event noted with the second at which it came. */
function keeperOf(renew: (callId: string) => Promise<FencedOutcome>) {
  const noted: string[] = [];
  const renewals: number[] = [];
  const keeper = createLeaseRenewer({
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    store: {
      renewLease: async ({ callId }) => {
        renewals.push(seconds());
        return renew(callId);
      },
    },
  });
  const hold = (tail: number): TrackedLease => {
    const callId = callIdSchema.parse(`0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);
    const lease: TrackedLease = keeper.hold({
      right: { callId, epoch: 1 },
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
  return { keeper, hold, noted, renewals };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a lease is renewed every fifteen seconds for as long as it is held, and not after', async () => {
  const { hold, renewals } = keeperOf(async () => WRITTEN);
  const lease = hold(1);
  await pass(4 * LEASE_RENEWAL_MS + 4_000);
  expect(renewals).toHaveLength(4);
  lease.drop();
  await pass(LEASE_MS);
  expect(renewals).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

test('leases that were taken one after the other are renewed one after the other', async () => {
  const { hold, renewals } = keeperOf(async () => WRITTEN);
  for (let index = 0; index < 5; index += 1) {
    hold(index);
    await pass(2_000);
  }
  await pass(LEASE_RENEWAL_MS);
  expect(new Set(renewals).size).toBe(5);
});

test('who cannot renew is told while there is time to hang up, and not before', async () => {
  let away = false;
  const { hold, noted } = keeperOf(async () => {
    if (away) throw new Error('Postgres is away');
    return WRITTEN;
  });
  hold(1);
  await pass(LEASE_RENEWAL_MS + 500);
  away = true;
  const renewedAtMs = LEASE_RENEWAL_MS;
  await pass(LEASE_MS - LEASE_MARGIN_MS - 2_000);
  expect(noted).toEqual([]);
  await pass(2_000);
  expect(noted).toEqual([`lost@${(renewedAtMs + LEASE_MS - LEASE_MARGIN_MS) / 1_000}`]);
});

test('a Postgres that hangs is given up before the lease ends', async () => {
  const { hold, noted, renewals } = keeperOf(() => new Promise(() => undefined));
  hold(1);
  await pass(LEASE_MS);
  expect(renewals).toHaveLength(1);
  expect(noted).toEqual([`lost@${(LEASE_MS - LEASE_MARGIN_MS) / 1_000}`]);
});

test('an outage that ends in time costs nothing', async () => {
  let away = true;
  const { hold, noted } = keeperOf(async () => {
    if (away) throw new Error('Postgres is away');
    return WRITTEN;
  });
  hold(1);
  await pass(LEASE_MS - LEASE_MARGIN_MS - 2_000);
  away = false;
  await pass(LEASE_MS);
  expect(noted).toEqual([]);
});

test('a wall clock that jumps ahead makes the keeper ask, and a machine that slept learns that it is too late', async () => {
  let fenced = false;
  const { hold, noted, renewals } = keeperOf(async () => (fenced ? { kind: 'fenced' } : WRITTEN));
  hold(1);
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

test('a clock that is set back does not make a lease longer', async () => {
  const { hold, renewals } = keeperOf(async () => WRITTEN);
  hold(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  await pass(LEASE_RENEWAL_MS + 1_000);
  expect(renewals).toHaveLength(1);
});

test('asked to look now, it does, and again if an answer was under way that may be older', async () => {
  let endRequested = false;
  const answers: (() => void)[] = [];
  const { keeper, hold, noted } = keeperOf(
    () =>
      new Promise((resolve) => {
        const seen = endRequested;
        answers.push(() => resolve({ kind: 'written', endRequested: seen }));
      }),
  );
  const callId = callIdSchema.parse('0c000000-0000-4000-8000-000000000001');
  hold(1);
  keeper.renewNow(callId);
  endRequested = true;
  keeper.renewNow(callId);
  keeper.renewNow(callId);
  answers[0]?.();
  await pass(0);
  expect(noted).toEqual([]);
  answers[1]?.();
  await pass(0);
  expect(noted).toEqual(['end@0']);
  expect(answers).toHaveLength(2);
});

test('an announcement for a call that is not held here asks nothing', async () => {
  const { keeper, renewals } = keeperOf(async () => WRITTEN);
  keeper.renewNow(callIdSchema.parse('0c000000-0000-4000-8000-000000000009'));
  await pass(LEASE_MS);
  expect(renewals).toEqual([]);
});
