import type { CallId } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import type { DriveStore } from '../ports/drive-store.ts';
import {
  elapsedMs,
  instantOf,
  isUsable,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  type FencingToken,
  type Instant,
} from './lease.ts';

/** A lease as its owner gives it to the keeper. */
export interface LeaseOwner {
  readonly right: FencingToken;
  /** From before the claim was sent. */
  readonly since: Instant;
  /** Somebody else owns the call. */
  readonly onFenced: () => void;
  readonly onEndRequested: () => void;
  /** It could not be renewed, and what is left suffices to hang up and for nothing else. */
  readonly onLost: () => void;
}

export interface TrackedLease {
  /** When the last renewal that succeeded was sent. */
  renewedAt(): Instant;
  /** The call is over: the lease is renewed no more. */
  drop(): void;
}

/** Renews the leases of every call of this process with one timer. */
export interface LeaseRenewer {
  hold(owner: LeaseOwner): TrackedLease;
  /** Renews a call's lease at once, which brings whatever is to be known of it. No effect if it is not held here. */
  renewNow(callId: CallId): void;
}

interface Holding {
  readonly owner: LeaseOwner;
  renewedAt: Instant;
  /** Since when an answer is awaited. */
  askedAt: Instant | null;
  /** The last attempt was refused or went unanswered. */
  failing: boolean;
  askAgain: boolean;
}

/** Leases fall due one after the other: a look every second spreads the renewals of thousands of calls. */
const LOOK_INTERVAL_MS = 1_000;

/** How long an answer may take once the lease has no more than its margin left. */
const PATIENCE_MS = 5_000;

export function createLeaseRenewer(deps: {
  readonly store: Pick<DriveStore, 'renewLease'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): LeaseRenewer {
  const { store, clock, logger } = deps;
  const held = new Map<CallId, Holding>();
  let timer: Timer | undefined;
  let failures = 0;

  async function renew(holding: Holding): Promise<void> {
    const { owner } = holding;
    const sentAt = instantOf(clock);
    holding.askedAt = sentAt;
    try {
      const outcome = await store.renewLease({ ...owner.right, leaseMs: LEASE_MS });
      if (held.get(owner.right.callId) !== holding) return;
      holding.failing = false;
      if (failures > 0) logger.info({ failures }, 'leases are renewed again');
      failures = 0;
      if (outcome.kind === 'fenced') {
        held.delete(owner.right.callId);
        return owner.onFenced();
      }
      holding.renewedAt = sentAt;
      if (outcome.endRequested) owner.onEndRequested();
    } catch (error) {
      holding.failing = true;
      // One line for all: an outage fails thousands of renewals a second.
      if (failures === 0) logger.warn({ err: error }, 'leases are not renewed');
      failures += 1;
    } finally {
      holding.askedAt = null;
    }
    if (holding.askAgain) {
      holding.askAgain = false;
      await renew(holding);
    }
  }

  function look(holding: Holding): void {
    if (elapsedMs(clock, holding.renewedAt) < LEASE_RENEWAL_MS) return;
    if (!isUsable(clock, holding.renewedAt) && isHopeless(holding)) return holding.owner.onLost();
    if (holding.askedAt === null) void renew(holding);
  }

  // A clock that jumped, or a process that slept, has not failed to renew yet: it is to ask before it gives up.
  function isHopeless(holding: Holding): boolean {
    return holding.askedAt === null ? holding.failing : elapsedMs(clock, holding.askedAt) >= PATIENCE_MS;
  }

  function lookAtAll(): void {
    timer = undefined;
    for (const holding of held.values()) look(holding);
    lookLater();
  }

  function lookLater(): void {
    if (held.size > 0) timer ??= clock.after(LOOK_INTERVAL_MS, lookAtAll);
  }

  return {
    hold(owner) {
      const holding: Holding = { owner, renewedAt: owner.since, askedAt: null, failing: false, askAgain: false };
      held.set(owner.right.callId, holding);
      lookLater();
      return {
        renewedAt: () => holding.renewedAt,
        drop() {
          if (held.get(owner.right.callId) === holding) held.delete(owner.right.callId);
        },
      };
    },
    renewNow(callId) {
      const holding = held.get(callId);
      if (!holding) return;
      // The answer under way may be older than what there is to know.
      if (holding.askedAt) holding.askAgain = true;
      else void renew(holding);
    },
  };
}
