import type { AccountId } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';

/**
 * Who is served by one worker, in this process alone: accounts take turns, and none has more than its share of the
 * worker's places, so a newcomer finds a free one.
 */
export interface Shares {
  /** Accounts that have their share. */
  full(): readonly AccountId[];
  /** The account that took a place last. */
  last(): AccountId | null;
  /** Takes a place. @returns gives it back, once */
  take(accountId: AccountId): () => void;
  /** Chooses run one after another: the next one sees what the one before it took. */
  inTurn<Chosen>(choose: () => Promise<Chosen>): Promise<Chosen>;
  /** Resolves once a place is free, or after `forMs`. */
  freed(forMs: number, stopping: AbortSignal): Promise<void>;
}

export function createShares({ clock, perAccount }: { readonly clock: Clock; readonly perAccount: number }): Shares {
  const taken = new Map<AccountId, number>();
  let last: AccountId | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let freed = new AbortController();

  function give(accountId: AccountId): void {
    const left = (taken.get(accountId) ?? 0) - 1;
    if (left > 0) taken.set(accountId, left);
    else taken.delete(accountId);
    freed.abort();
    freed = new AbortController();
  }

  return {
    full: () => [...taken].flatMap(([accountId, places]) => (places >= perAccount ? [accountId] : [])),
    last: () => last,
    take(accountId) {
      last = accountId;
      taken.set(accountId, (taken.get(accountId) ?? 0) + 1);
      let isTaken = true;
      return () => {
        if (isTaken) give(accountId);
        isTaken = false;
      };
    },
    inTurn(choose) {
      const chosen = turn.then(choose);
      turn = chosen.catch(() => undefined);
      return chosen;
    },
    freed: (forMs, stopping) => pause(clock, forMs, AbortSignal.any([freed.signal, stopping])),
  };
}
