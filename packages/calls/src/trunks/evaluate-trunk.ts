import type { AccountId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { TrunkState } from '../ports/trunks.ts';
import type { CallRefusedByTrunk, TrunkEvidence, TrunkUnanswered } from '../trunk-evidence.ts';

type TrunkAilment = Exclude<TrunkState, 'up'>;

/**
 * The states of a trunk's circuit breaker. `closed` and `suspected` take calls. `open` takes none until `untilMs`, or, if
 * that is Infinity, until a sign of life. `half_open` takes one call at a time, across all workers, until one gets
 * through. `sinceMs`: when the outage was first detected.
 */
export type TrunkBreakerState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'suspected' }
  | { readonly kind: 'open'; readonly outage: TrunkOutage }
  | { readonly kind: 'half_open'; readonly outage: TrunkOutage };

interface TrunkOutage {
  readonly problem: TrunkAilment;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly detail: string;
}

/** Fewer calls, or fewer destinations, say something about the destinations and nothing about the trunk. */
const ENOUGH_CALLS = 3;
/** Silence takes 32 s per call (Timer B): several calls in a row must fit. */
const EVIDENCE_WINDOW_MS = 120_000;
/** An account that had a call on the trunk within this time uses the trunk. */
const USE_WINDOW_MS = 600_000;
/** Retry-After comes from a remote party: it is used within bounds. `unsaid` applies without one. */
const CONGESTION_MS = { least: 1_000, most: 60_000, unsaid: 10_000 } as const;
const SILENCE_MS = 60_000;
/** Other accounts must not wait longer than this for an outage that a few accounts report: they may be one customer's. */
const FEW_ACCOUNTS_MS = 10_000;
/** One account is few, and so is less than this share of those that use the trunk. */
const FEW_BELOW_SHARE = 1 / 4;
/** The carrier may have fixed our credentials on its side, where we cannot see it. */
const UNAUTHORIZED_MS = 600_000;

/**
 * The breaker's state by the evidence about a trunk. Pure, and independent of the order in which evidence arrives: all
 * workers with the same evidence reach the same state, except that `unanswered` counts only for the worker that saw it.
 */
export function evaluateTrunk(evidence: readonly TrunkEvidence[], nowMs: number): TrunkBreakerState {
  const history = new History();
  for (const seen of inOrder(evidence)) history.add(seen);
  return history.stateAt(nowMs);
}

/** By time; signs of life come last within one moment. */
function inOrder(evidence: readonly TrunkEvidence[]): readonly TrunkEvidence[] {
  return evidence.toSorted((a, b) => a.atMs - b.atMs || rankOf(a) - rankOf(b));
}

function rankOf({ kind }: TrunkEvidence): number {
  return kind === 'failed' || kind === 'unanswered' ? 0 : 1;
}

class History {
  /** When anything last showed that the trunk is alive, and when a call did. */
  #aliveMs = -Infinity;
  #carriedMs = -Infinity;
  #ownAliveMs = -Infinity;
  readonly #usedMs = new Map<AccountId, number>();
  #doubts: CallRefusedByTrunk[] = [];
  #refusals: CallRefusedByTrunk[] = [];
  #witness: TrunkUnanswered | undefined;
  /** From calls; shared by all workers. */
  #outage: TrunkOutage | undefined;
  /** All evidence against the trunk since its last sign of life comes from a few accounts. */
  #isFromFew = true;
  /** From this process's own OPTIONS, or its own connection. */
  #ownOutage: TrunkOutage | undefined;

  add(seen: TrunkEvidence): void {
    switch (seen.kind) {
      case 'carried':
        this.#usedMs.set(seen.accountId, seen.atMs);
        this.#carriedMs = seen.atMs;
        this.#refusals = [];
        this.#outage = undefined;
        return this.#alive(seen);
      case 'answered':
        // Only a call can show whether the trunk accepts our password.
        if (this.#outage?.problem !== 'unauthorized') this.#outage = undefined;
        return this.#alive(seen);
      case 'unanswered':
        return this.#unanswered(seen);
      case 'failed':
        this.#usedMs.set(seen.accountId, seen.atMs);
        return seen.failure === 'unauthorized' ? this.#refused(seen) : this.#failed(seen);
      default:
        return unreachable(seen);
    }
  }

  stateAt(nowMs: number): TrunkBreakerState {
    const outages = [this.#outage, this.#ownOutage].filter((outage) => outage !== undefined);
    const open = outages.filter(({ untilMs }) => nowMs < untilMs);
    const [worst] = (open.length > 0 ? open : outages).toSorted(worstFirst);
    if (worst) {
      const sinceMs = Math.min(...outages.map((outage) => outage.sinceMs));
      return { kind: open.length > 0 ? 'open' : 'half_open', outage: { ...worst, sinceMs } };
    }
    const isDoubted = [...this.#doubts, ...this.#refusals].some(({ atMs }) => nowMs - atMs < EVIDENCE_WINDOW_MS);
    return { kind: isDoubted ? 'suspected' : 'closed' };
  }

  #alive({ atMs, own }: TrunkEvidence): void {
    this.#aliveMs = atMs;
    this.#doubts = [];
    this.#witness = undefined;
    this.#isFromFew = true;
    if (!own) return;
    this.#ownAliveMs = atMs;
    this.#ownOutage = undefined;
  }

  #unanswered(seen: TrunkUnanswered): void {
    const { sinceMs, atMs, forMs, state, detail } = seen;
    if (sinceMs > this.#aliveMs) this.#witness = seen;
    if (seen.own && sinceMs > this.#ownAliveMs) {
      const since = this.#ownOutage?.sinceMs ?? atMs;
      this.#ownOutage = { problem: state, sinceMs: since, untilMs: forMs === null ? Infinity : atMs + forMs, detail };
    }
    const last = this.#doubts.at(-1);
    if (last && this.#outage === undefined && this.#isEnough(this.#doubts, atMs)) this.#open(last, atMs);
  }

  #failed(seen: CallRefusedByTrunk): void {
    // The trunk responded to something while this call was silent: the silence is its destination's.
    if (seen.sinceMs <= this.#aliveMs) return;
    this.#doubts = recent(this.#doubts, seen);
    if (this.#isOut(seen.atMs) || this.#outage?.problem === 'unauthorized') return;
    if (this.#outage !== undefined || this.#isEnough(this.#doubts, seen.atMs)) this.#open(seen, seen.atMs);
  }

  /** If no call has got through with this password yet, one rejection shows that it is wrong. */
  #refused(seen: CallRefusedByTrunk): void {
    if (seen.sinceMs <= this.#carriedMs) return;
    this.#refusals = recent(this.#refusals, seen);
    const isHalfOpen = this.#outage?.problem === 'unauthorized' && !this.#isOut(seen.atMs);
    const isNew = this.#carriedMs === -Infinity;
    if (!isNew && !isHalfOpen && !isShared(this.#refusals, this.#usersAt(seen.atMs))) return;
    const { atMs, detail } = seen;
    const sinceMs = this.#outage?.sinceMs ?? atMs;
    this.#outage = { problem: 'unauthorized', sinceMs, untilMs: atMs + UNAUTHORIZED_MS, detail };
  }

  #isOut(atMs: number): boolean {
    return this.#outage !== undefined && atMs < this.#outage.untilMs;
  }

  #isEnough(doubts: readonly CallRefusedByTrunk[], atMs: number): boolean {
    if (this.#witness !== undefined) return isSeveral(doubts);
    return isShared(doubts, this.#usersAt(atMs));
  }

  #usersAt(atMs: number): number {
    return [...this.#usedMs.values()].filter((usedMs) => atMs - usedMs < USE_WINDOW_MS).length;
  }

  #open({ failure, retryAfterMs, detail }: CallRefusedByTrunk, atMs: number): void {
    const isCongested = failure === 'congested';
    const forMs = isCongested ? congestionMs(retryAfterMs) : SILENCE_MS;
    this.#isFromFew &&= this.#witness === undefined && isFew(accountsOf(this.#doubts), this.#usersAt(atMs));
    this.#outage = {
      problem: isCongested ? 'congested' : 'unreachable',
      sinceMs: this.#outage?.sinceMs ?? atMs,
      untilMs: atMs + (this.#isFromFew ? Math.min(forMs, FEW_ACCOUNTS_MS) : forMs),
      detail,
    };
  }
}

/** Adds this evidence, keeps one entry per call, and drops entries that are too old. */
function recent(doubts: readonly CallRefusedByTrunk[], seen: CallRefusedByTrunk): CallRefusedByTrunk[] {
  const kept = doubts.filter(({ callId, atMs }) => callId !== seen.callId && seen.atMs - atMs < EVIDENCE_WINDOW_MS);
  return [...kept, seen];
}

function isSeveral(doubts: readonly CallRefusedByTrunk[]): boolean {
  return doubts.length >= ENOUGH_CALLS && new Set(doubts.map((doubt) => doubt.destination)).size >= ENOUGH_CALLS;
}

/** No account takes a trunk from another through the numbers that it dials. */
function isShared(doubts: readonly CallRefusedByTrunk[], users: number): boolean {
  return isSeveral(doubts) && accountsOf(doubts) >= Math.min(2, users);
}

function isFew(accounts: number, users: number): boolean {
  return accounts === 1 || accounts < users * FEW_BELOW_SHARE;
}

function accountsOf(doubts: readonly CallRefusedByTrunk[]): number {
  return new Set(doubts.map(({ accountId }) => accountId)).size;
}

function congestionMs(retryAfterMs: number | null): number {
  const { least, most, unsaid } = CONGESTION_MS;
  return Math.min(most, Math.max(least, retryAfterMs ?? unsaid));
}

function worstFirst(a: TrunkOutage, b: TrunkOutage): number {
  const byAilment = Number(b.problem === 'unauthorized') - Number(a.problem === 'unauthorized');
  return byAilment || (a.untilMs === b.untilMs ? 0 : b.untilMs - a.untilMs);
}
