import type { AccountId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { TrunkState } from '../ports/trunks.ts';
import type { CallRefusedByTrunk, TrunkEvidence, TrunkUnanswered } from './trunk-evidence.ts';

type TrunkAilment = Exclude<TrunkState, 'up'>;

/**
 * A circuit breaker's states. `closed` and `suspected` take calls. `open` takes none until `untilMs`, or until a sign of
 * life where that is Infinity. `half_open` takes one call at a time, over all workers, until one of them gets through.
 * `sinceMs`: when the trunk was first found out of order.
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

/** Fewer calls than this, or to fewer numbers, say something about the numbers and nothing about the trunk. */
const ENOUGH_CALLS = 3;
/** Silence takes 32 s a call (timer B): several calls in a row must fit. */
const EVIDENCE_WINDOW_MS = 120_000;
/** An account that had a call on the trunk within this uses the trunk. */
const USE_WINDOW_MS = 600_000;
/** A Retry-After is somebody else's word: believed within bounds. Without one, so long. */
const CONGESTION_MS = { least: 1_000, most: 60_000, unsaid: 10_000 } as const;
const SILENCE_MS = 60_000;
/** What one account alone brought about, others are not to wait for. */
const ONE_ACCOUNT_MS = 10_000;
/** Somebody may have mended the account at the carrier's side, where we cannot see it. */
const UNAUTHORIZED_MS = 600_000;

/**
 * What the evidence of a trunk comes to. Pure, and independent of the order in which evidence arrives: every worker that
 * has the same evidence reaches the same verdict, but for what `unanswered` means to the worker that saw it.
 */
export function evaluateTrunk(evidence: readonly TrunkEvidence[], nowMs: number): TrunkBreakerState {
  const history = new History();
  for (const seen of inOrder(evidence)) history.add(seen);
  return history.verdictAt(nowMs);
}

/** By time; of one moment, signs of life last. */
function inOrder(evidence: readonly TrunkEvidence[]): readonly TrunkEvidence[] {
  return evidence.toSorted((a, b) => a.atMs - b.atMs || rankOf(a) - rankOf(b));
}

function rankOf({ kind }: TrunkEvidence): number {
  return kind === 'failed' || kind === 'unanswered' ? 0 : 1;
}

class History {
  /** When anything last showed that the trunk is there, and when a call did. */
  #aliveMs = -Infinity;
  #carriedMs = -Infinity;
  #ownAliveMs = -Infinity;
  readonly #usedMs = new Map<AccountId, number>();
  #doubts: CallRefusedByTrunk[] = [];
  #refusals: CallRefusedByTrunk[] = [];
  #witness: TrunkUnanswered | undefined;
  /** By calls; shared by all workers. */
  #outage: TrunkOutage | undefined;
  /** All that spoke against the trunk since it was last alive is of one account. */
  #isOnesWord = true;
  /** By this process's own OPTIONS, or its own wire. */
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
        // Whether it takes our password, a call alone can tell.
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

  verdictAt(nowMs: number): TrunkBreakerState {
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
    this.#isOnesWord = true;
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
    // Something came back from the trunk while this call heard nothing: the silence is its destination's.
    if (seen.sinceMs <= this.#aliveMs) return;
    this.#doubts = recent(this.#doubts, seen);
    if (this.#isOut(seen.atMs) || this.#outage?.problem === 'unauthorized') return;
    if (this.#outage !== undefined || this.#isEnough(this.#doubts, seen.atMs)) this.#open(seen, seen.atMs);
  }

  /** Where no call has got through with this password yet, one refusal says that it is wrong. */
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
    this.#isOnesWord &&= this.#witness === undefined && accountsOf(this.#doubts) === 1;
    this.#outage = {
      problem: isCongested ? 'congested' : 'unreachable',
      sinceMs: this.#outage?.sinceMs ?? atMs,
      untilMs: atMs + (this.#isOnesWord ? Math.min(forMs, ONE_ACCOUNT_MS) : forMs),
      detail,
    };
  }
}

/** With this one, one a call, and none that is too old. */
function recent(doubts: readonly CallRefusedByTrunk[], seen: CallRefusedByTrunk): CallRefusedByTrunk[] {
  const kept = doubts.filter(({ callId, atMs }) => callId !== seen.callId && seen.atMs - atMs < EVIDENCE_WINDOW_MS);
  return [...kept, seen];
}

function isSeveral(doubts: readonly CallRefusedByTrunk[]): boolean {
  return doubts.length >= ENOUGH_CALLS && new Set(doubts.map((doubt) => doubt.destination)).size >= ENOUGH_CALLS;
}

/** No account takes a trunk from another by the numbers that it dials. */
function isShared(doubts: readonly CallRefusedByTrunk[], users: number): boolean {
  return isSeveral(doubts) && accountsOf(doubts) >= Math.min(2, users);
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
