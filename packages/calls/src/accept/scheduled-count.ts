import type { AccountId } from '@outdial/contracts';
import { createFreshCache, type Clock } from '@outdial/kernel';
import type { AcceptStore } from '../ports/accept-store.ts';

/** How many scheduled calls an account may have. */
export const MOST_SCHEDULED = 100_000;

/** Counting up to the limit reads that many entries of an index: not for each request. */
const MAX_AGE_MS = 5_000;

export interface ScheduledCountDeps {
  readonly clock: Clock;
  readonly store: Pick<AcceptStore, 'countScheduled'>;
}

/** Whether an account may schedule one more call, as of up to five seconds ago: a burst may go a little beyond. */
export function createScheduledCount({ clock, store }: ScheduledCountDeps) {
  const counts = createFreshCache<number>({ clock, maxAgeMs: MAX_AGE_MS, maxReadMs: MAX_AGE_MS, maxEntries: 10_000 });
  return async function maySchedule(accountId: AccountId): Promise<boolean> {
    const count = await counts(accountId, () => store.countScheduled(accountId, MOST_SCHEDULED));
    return count < MOST_SCHEDULED;
  };
}
