import { evaluateTrunk, type TrunkEvidence, type TrunkBreakerState } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';

/** What has aged out of every window of `evaluateTrunk`. */
const KEEP_MS = 1_800_000;
/** A trunk that refuses hundreds of calls a second needs no more than the last of them. */
const MOST_FAILURES = 500;

/** The evidence about one trunk as it is set now: changed settings are another trunk, of which nothing is known. */
export class TrunkRecord {
  #evidence: readonly TrunkEvidence[] = [];

  add(added: readonly TrunkEvidence[], nowMs: number): void {
    const all = [...this.#evidence, ...added].filter((seen) => seen.kind === 'carried' || nowMs - seen.atMs < KEEP_MS);
    this.#evidence = withoutExcess(withoutRefuted(all));
  }

  verdictAt(nowMs: number): TrunkBreakerState {
    return evaluateTrunk(this.#evidence, nowMs);
  }
}

/** A sign of life makes all that came before it irrelevant, so the last one of each kind is enough. */
function withoutRefuted(all: readonly TrunkEvidence[]): readonly TrunkEvidence[] {
  const carriedMs = lastOf(all, (seen) => seen.kind === 'carried');
  const aliveMs = lastOf(all, (seen) => seen.kind === 'carried' || seen.kind === 'answered');
  const ownAliveMs = lastOf(all, (seen) => seen.own && (seen.kind === 'carried' || seen.kind === 'answered'));
  return all.filter((seen) => {
    switch (seen.kind) {
      case 'failed':
        return seen.atMs > (seen.failure === 'unauthorized' ? carriedMs : aliveMs);
      case 'unanswered':
        return seen.atMs > (seen.own ? ownAliveMs : aliveMs);
      case 'carried':
      case 'answered':
        return !all.some((other) => other.atMs > seen.atMs && saysTheSame(other, seen));
      default:
        return unreachable(seen);
    }
  });
}

function saysTheSame(one: TrunkEvidence, other: TrunkEvidence): boolean {
  if (one.kind !== other.kind || (other.own && !one.own)) return false;
  return one.kind !== 'carried' || other.kind !== 'carried' || one.accountId === other.accountId;
}

function withoutExcess(all: readonly TrunkEvidence[]): readonly TrunkEvidence[] {
  if (all.length <= MOST_FAILURES) return all;
  return all.toSorted((a, b) => a.atMs - b.atMs).slice(-MOST_FAILURES);
}

function lastOf(all: readonly TrunkEvidence[], isWanted: (seen: TrunkEvidence) => boolean): number {
  return all.reduce((last, seen) => (isWanted(seen) ? Math.max(last, seen.atMs) : last), -Infinity);
}
