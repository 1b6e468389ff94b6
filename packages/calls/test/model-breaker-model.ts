import type { BreakerEvidence, BreakerOutage } from '../src/breaker.ts';

interface Seen {
  readonly nowMs: number;
  readonly isShared: boolean;
  readonly outage: BreakerOutage | null;
  readonly evidence: readonly BreakerEvidence[];
  readonly newest: { readonly outcome: BreakerEvidence['outcome']; readonly isProbe: boolean };
}

/** What `evaluateBreaker` must answer, written from its rules in another way: account by account. */
export function modelMove({ nowMs, isShared, outage, evidence, newest }: Seen) {
  if (outage !== null) {
    const isHalfOpen = nowMs >= outage.untilMs;
    if (isHalfOpen && newest.outcome === 'success') return { kind: 'close' };
    if (isHalfOpen && newest.isProbe) return { kind: 'open', forMs: [15, 30, 60][outage.streak] ?? 120 };
    return { kind: 'stay' };
  }
  const accounts = [...new Set(evidence.map(({ accountId }) => accountId))];
  const recent = accounts.map((account) =>
    evidence.filter(({ accountId, atMs }) => accountId === account && atMs > nowMs - 30_000),
  );
  const faults = recent.map((own) => own.filter(({ outcome }) => outcome === 'fault').length);
  const successes = recent.map((own, at) => own.length - (faults[at] ?? 0));
  const counted = sum(faults.map((count) => (isShared ? Math.min(3, count) : count)));
  const against = sum(successes.map((count) => (isShared ? Math.min(6, count) : count)));
  const isBurst = counted > 4 && counted >= against && (!isShared || faults.filter((count) => count > 0).length > 1);

  const last: BreakerEvidence[] = [];
  for (const one of evidence.toReversed()) {
    const own = last.filter(({ accountId }) => accountId === one.accountId);
    if (last.length < 20 && (!isShared || own.length < 8)) last.push(one);
  }
  const failing = last.filter(({ outcome }) => outcome === 'fault');
  const failingAccounts = new Set(failing.map(({ accountId }) => accountId)).size;
  const isHalf = last.length === 20 && failing.length >= 10 && (!isShared || failingAccounts > 1);
  const opens = newest.outcome === 'fault' && (isBurst || isHalf);
  return opens ? { kind: 'open', forMs: 15 } : { kind: 'stay' };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
