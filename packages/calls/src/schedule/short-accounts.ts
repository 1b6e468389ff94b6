import type { AccountId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';

/** Accounts that had more due calls than they could place, and when last. */
export interface ShortAccounts {
  note(accountId: AccountId): void;
  /** Whether something but this worker may have held up a call of the account for the last `lateMs`. */
  heldUp(accountId: AccountId, lateMs: number): boolean;
}

const MOST_KEPT = 10_000;

/** A late call of an account without slots, funds or trunks says nothing about how fast calls are admitted. */
export function createShortAccounts(clock: Pick<Clock, 'monotonicMs'>): ShortAccounts {
  // The least recently noted one comes first.
  const notedAtMs = new Map<AccountId, number>();
  return {
    note(accountId) {
      notedAtMs.delete(accountId);
      notedAtMs.set(accountId, clock.monotonicMs());
      const [oldest] = notedAtMs.size > MOST_KEPT ? notedAtMs.keys() : [];
      if (oldest !== undefined) notedAtMs.delete(oldest);
    },
    heldUp(accountId, lateMs) {
      const atMs = notedAtMs.get(accountId);
      return atMs !== undefined && atMs >= clock.monotonicMs() - lateMs;
    },
  };
}
