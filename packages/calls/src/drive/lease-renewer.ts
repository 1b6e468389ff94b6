import type { CallId } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { DriveStore, FencingToken } from '../ports/drive-store.ts';
import type { UsageReport } from '../usage-cost.ts';
import type { TurnLog } from './turn-log.ts';
import { elapsedMs, instantOf, isUsable, LEASE_TIMES, type Instant, type LeaseTimes } from '../lease.ts';

/** A lease to renew, with its callbacks. */
export interface LeaseOwner {
  readonly fencingToken: FencingToken;
  /** From before the claim was sent. */
  readonly since: Instant;
  /** What its models have used; it is stored with the next renewal. The same object until there is more. */
  readonly usage: () => UsageReport | null;
  /** What was said; the next renewal stores what is new. */
  readonly turns: Pick<TurnLog, 'unstored' | 'markStored'>;
  /** Another worker owns the call. */
  readonly onFenced: () => void;
  readonly onEndRequested: () => void;
  /** The lease could not be renewed, and the remaining time suffices only for hanging up. */
  readonly onLost: () => void;
}

export interface TrackedLease {
  /** When the last successful renewal was sent. */
  renewedAt(): Instant;
  /** The call is over: stops renewing the lease. */
  drop(): void;
}

/** Renews the leases of all calls of this process with one timer. */
export interface LeaseRenewer {
  track(owner: LeaseOwner): TrackedLease;
  /** Renews a call's lease at once, which also returns any pending request. No effect if it is not tracked here. */
  renewNow(callId: CallId): void;
}

interface LeaseEntry {
  readonly owner: LeaseOwner;
  renewedAt: Instant;
  /** When the pending renewal was sent; null if none is pending. */
  pendingSince: Instant | null;
  /** The last renewal was rejected or went unanswered. */
  failing: boolean;
  renewAgain: boolean;
  storedUsage: UsageReport | null;
}

/** Leases fall due one after the other: a check every second spreads the renewals of thousands of calls. */
const CHECK_INTERVAL_MS = 1_000;

export function createLeaseRenewer(deps: {
  readonly store: Pick<DriveStore, 'renewLease'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `LEASE_TIMES` unless given. */
  readonly leaseTimes?: LeaseTimes;
}): LeaseRenewer {
  const { store, clock, logger, leaseTimes = LEASE_TIMES } = deps;
  const { leaseMs, renewalMs } = leaseTimes;
  /** How long to wait for an answer once the lease has no more than its margin left: hanging up needs the rest. */
  const answerTimeoutMs = leaseTimes.marginMs / 2;
  const leases = new Map<CallId, LeaseEntry>();
  let timer: Timer | undefined;
  let failures = 0;

  async function renew(entry: LeaseEntry): Promise<void> {
    const { owner } = entry;
    const sentAt = instantOf(clock);
    entry.pendingSince = sentAt;
    const turns = owner.turns.unstored();
    try {
      const usage = owner.usage();
      const unstored = {
        ...(usage !== null && usage !== entry.storedUsage && { usage }),
        ...(turns.length > 0 && { turns }),
      };
      const outcome = await store.renewLease({ ...owner.fencingToken, leaseMs, ...unstored });
      if (leases.get(owner.fencingToken.callId) !== entry) return;
      entry.failing = false;
      if (failures > 0) logger.info({ event: 'lease.renewal_recovered', failures }, 'leases are renewed again');
      failures = 0;
      if (outcome.kind === 'fenced') {
        leases.delete(owner.fencingToken.callId);
        return owner.onFenced();
      }
      entry.renewedAt = sentAt;
      entry.storedUsage = usage;
      owner.turns.markStored(turns);
      if (outcome.endRequested) owner.onEndRequested();
    } catch (error) {
      entry.failing = true;
      if (error instanceof RowRejected && turns.length > 0) {
        // Words that Postgres rejects must not cost the call its lease.
        owner.turns.markStored(turns);
        entry.renewAgain = true;
      }
      // One line for all: an outage fails thousands of renewals a second.
      if (failures === 0) logger.warn({ event: 'lease.renewal_failed', err: error }, 'leases are not renewed');
      failures += 1;
    } finally {
      entry.pendingSince = null;
    }
    if (entry.renewAgain) {
      entry.renewAgain = false;
      await renew(entry);
    }
  }

  function check(entry: LeaseEntry): void {
    if (elapsedMs(clock, entry.renewedAt) < renewalMs) return;
    if (!isUsable(clock, entry.renewedAt, leaseTimes) && hasFailed(entry)) return entry.owner.onLost();
    if (entry.pendingSince === null) void renew(entry);
  }

  // After a clock jump or a sleeping process no renewal has failed yet: it is tried before the lease is given up.
  function hasFailed(entry: LeaseEntry): boolean {
    return entry.pendingSince === null ? entry.failing : elapsedMs(clock, entry.pendingSince) >= answerTimeoutMs;
  }

  function checkAll(): void {
    timer = undefined;
    for (const entry of leases.values()) check(entry);
    scheduleCheck();
  }

  function scheduleCheck(): void {
    if (leases.size > 0) timer ??= clock.after(CHECK_INTERVAL_MS, checkAll);
  }

  return {
    track(owner) {
      const entry: LeaseEntry = {
        owner,
        renewedAt: owner.since,
        pendingSince: null,
        failing: false,
        renewAgain: false,
        storedUsage: null,
      };
      leases.set(owner.fencingToken.callId, entry);
      scheduleCheck();
      return {
        renewedAt: () => entry.renewedAt,
        drop() {
          if (leases.get(owner.fencingToken.callId) === entry) leases.delete(owner.fencingToken.callId);
        },
      };
    },
    renewNow(callId) {
      const entry = leases.get(callId);
      if (!entry) return;
      // The pending answer may be older than the announcement.
      if (entry.pendingSince) entry.renewAgain = true;
      else void renew(entry);
    },
  };
}
