import type { AccountId } from '@outdial/contracts';
import type { BreakerEvidence, BreakerOutage } from '../breaker.ts';

/** What becomes of a breaker after an outcome. */
export type BreakerMove =
  | { readonly kind: 'stay' }
  | { readonly kind: 'open'; readonly forMs: number }
  | { readonly kind: 'close' };

export interface BreakerView {
  readonly nowMs: number;
  /** Accounts share it: the operator's credential. */
  readonly isShared: boolean;
  /** Null while the breaker is closed. */
  readonly outage: BreakerOutage | null;
  /** Since the breaker closed last, oldest first, the newest included. */
  readonly evidence: readonly BreakerEvidence[];
  readonly newest: {
    readonly outcome: BreakerEvidence['outcome'];
    /** It came from the call that the half-open breaker let through. */
    readonly isProbe: boolean;
  };
}

/** Faults that came within this time are an outage, not a coincidence. */
const BURST_MS = 30_000;
const FAULTS_OF_A_BURST = 5;
/** Of the last outcomes, half. */
const LAST_OUTCOMES = 20;
/** So that one account alone, however busy, has neither a burst of faults nor half of the last outcomes. */
const FAULTS_OF_ONE = 3;
const LAST_OF_ONE = 8;
/** What works for one account weighs as much as what fails for two. */
const SUCCESSES_OF_ONE = 6;
const LEAST_ACCOUNTS = 2;
const FIRST_OPEN_MS = 15_000;
const LONGEST_OPEN_MS = 120_000;

const STAY: BreakerMove = { kind: 'stay' };

/**
 * What the newest outcome does to a breaker. Pure: all workers that see the same reach the same.
 *
 * A closed one opens after 5 faults within 30 s that successes do not outnumber, or once half of the last 20 outcomes are
 * faults. On a shared credential both need faults of two accounts, and each account counts for a bounded number, so that
 * no account closes a line for others. A half-open one is decided by the call that it let through; a success of
 * any call closes it.
 */
export function evaluateBreaker({ nowMs, isShared, outage, evidence, newest }: BreakerView): BreakerMove {
  if (outage === null) {
    const opens = newest.outcome === 'fault' && (isBurst(evidence, nowMs, isShared) || isHalf(evidence, isShared));
    return opens ? { kind: 'open', forMs: openMs(1) } : STAY;
  }
  if (nowMs < outage.untilMs) return STAY;
  if (newest.outcome === 'success') return { kind: 'close' };
  return newest.isProbe ? { kind: 'open', forMs: openMs(outage.streak + 1) } : STAY;
}

/** How long a breaker stays open that opened for the nth time in a row. */
export function openMs(streak: number): number {
  return Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** (streak - 1));
}

function isBurst(evidence: readonly BreakerEvidence[], nowMs: number, isShared: boolean): boolean {
  const recent = evidence.filter(({ atMs }) => nowMs - atMs < BURST_MS);
  const most = (ofOne: number) => (isShared ? ofOne : Infinity);
  const faults = countOf(recent, 'fault', most(FAULTS_OF_ONE));
  return (
    faults >= FAULTS_OF_A_BURST &&
    faults >= countOf(recent, 'success', most(SUCCESSES_OF_ONE)) &&
    hasEnoughAccounts(recent, isShared)
  );
}

function isHalf(evidence: readonly BreakerEvidence[], isShared: boolean): boolean {
  const last = lastOf(evidence, isShared ? LAST_OF_ONE : LAST_OUTCOMES).slice(-LAST_OUTCOMES);
  const faults = last.filter(({ outcome }) => outcome === 'fault').length;
  return last.length === LAST_OUTCOMES && faults >= LAST_OUTCOMES / 2 && hasEnoughAccounts(last, isShared);
}

/** The last outcomes of each account, in their order. */
function lastOf(evidence: readonly BreakerEvidence[], ofOne: number): readonly BreakerEvidence[] {
  const counted = new Map<AccountId, number>();
  return evidence
    .toReversed()
    .filter(({ accountId }) => {
      const count = (counted.get(accountId) ?? 0) + 1;
      counted.set(accountId, count);
      return count <= ofOne;
    })
    .toReversed();
}

function countOf(evidence: readonly BreakerEvidence[], wanted: BreakerEvidence['outcome'], ofOne: number): number {
  const counts = new Map<AccountId, number>();
  for (const { accountId, outcome } of evidence)
    if (outcome === wanted) counts.set(accountId, Math.min(ofOne, (counts.get(accountId) ?? 0) + 1));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function hasEnoughAccounts(evidence: readonly BreakerEvidence[], isShared: boolean): boolean {
  const failing = new Set(evidence.filter(({ outcome }) => outcome === 'fault').map(({ accountId }) => accountId));
  return failing.size >= (isShared ? LEAST_ACCOUNTS : 1);
}
