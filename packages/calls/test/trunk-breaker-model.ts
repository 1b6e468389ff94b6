import type { CallRefusedByTrunk, TrunkEvidence, TrunkUnanswered } from '../src/trunk-evidence.ts';

type Of<Kind extends TrunkEvidence['kind']> = Extract<TrunkEvidence, { readonly kind: Kind }>;
interface ModelOutage {
  readonly untilMs: number;
  readonly isUnauthorized: boolean;
}

/**
 * The state of a trunk's breaker, computed in another way than `evaluateTrunk` does: not by a walk through the states, but
 * from what was seen since the last sign of life.
 */
export function modelState(seen: readonly TrunkEvidence[], nowMs: number) {
  const all = seen.toSorted((a, b) => a.atMs - b.atMs);
  const carriedMs = last(of(all, 'carried'));
  const aliveMs = Math.max(carriedMs, last(of(all, 'answered')));
  const failures = of(all, 'failed');
  const refusals = failures.filter((each) => each.failure === 'unauthorized' && each.atMs > carriedMs);
  const doubts = failures.filter(
    (each) => each.failure !== 'unauthorized' && each.atMs > aliveMs && each.sinceMs > aliveMs,
  );
  const unauthorizedAt = refusals.filter((each) => provesTheRefusal(all, refusals, each)).map(({ atMs }) => atMs);
  const outages: ModelOutage[] = [];
  const [unauthorizedMs] = unauthorizedAt;
  if (unauthorizedMs !== undefined) {
    outages.push({ untilMs: (unauthorizedAt.at(-1) ?? 0) + 600_000, isUnauthorized: true });
  } else {
    const untilMs = congestedUntil(all, doubts, aliveMs);
    if (untilMs !== null) outages.push({ untilMs, isUnauthorized: false });
  }
  const own = ownOutage(all);
  if (own) outages.push(own);
  const open = outages.filter(({ untilMs }) => nowMs < untilMs);
  const candidates = open.length > 0 ? open : outages;
  const worst = candidates.find(({ isUnauthorized }) => isUnauthorized) ?? longest(candidates);
  if (worst) return { kind: open.length > 0 ? 'open' : 'half_open', untilMs: worst.untilMs };
  const isDoubted = [...doubts, ...refusals].some(({ atMs }) => nowMs - atMs < 120_000);
  return { kind: isDoubted ? 'suspected' : 'closed', untilMs: null };
}

/** Rejections of one password, each judged by those up to it; one after ten minutes of an outage needs no others. */
function provesTheRefusal(
  all: readonly TrunkEvidence[],
  refusals: readonly CallRefusedByTrunk[],
  each: CallRefusedByTrunk,
): boolean {
  const isNew = !of(all, 'carried').some(({ atMs }) => atMs < each.atMs);
  if (isNew || isShared(all, upTo(refusals, each.atMs), each.atMs)) return true;
  const before = refusals.filter(({ atMs }) => atMs < each.atMs);
  const proven = before.filter((other) => provesTheRefusal(all, refusals, other));
  return proven.length > 0 && (proven.at(-1)?.atMs ?? 0) + 600_000 <= each.atMs;
}

/** Until when calls took the trunk down; null if they did not. */
function congestedUntil(
  all: readonly TrunkEvidence[],
  doubts: readonly CallRefusedByTrunk[],
  aliveMs: number,
): number | null {
  let untilMs: number | null = null;
  let isFewsWord = true;
  for (const moment of all.filter(({ atMs }) => atMs > aliveMs)) {
    const { atMs } = moment;
    const known = upTo(doubts, atMs);
    const doubt = known.at(-1);
    if (doubt === undefined) continue;
    const isDoubt = doubt === moment;
    const hasWitness = of(all, 'unanswered').some((one) => one.sinceMs > aliveMs && one.atMs <= atMs);
    const opens = (hasWitness && isSeveral(known)) || isShared(all, known, atMs);
    const begins = untilMs === null && opens && (isDoubt || moment.kind === 'unanswered');
    const beginsAnew = untilMs !== null && isDoubt && atMs >= untilMs;
    if (!begins && !beginsAnew) continue;
    const reporting = accounts(known);
    isFewsWord &&= !hasWitness && (reporting === 1 || users(all, atMs) > 4 * reporting);
    const wanted =
      doubt.failure === 'silent' ? 60_000 : Math.min(60_000, Math.max(1_000, doubt.retryAfterMs ?? 10_000));
    untilMs = atMs + (isFewsWord ? Math.min(10_000, wanted) : wanted);
  }
  return untilMs;
}

function ownOutage(all: readonly TrunkEvidence[]): ModelOutage | null {
  const ownAliveMs = last(all.filter(({ own, kind }) => own && (kind === 'carried' || kind === 'answered')));
  const unanswered = of(all, 'unanswered').filter(
    (one: TrunkUnanswered) => one.own && one.sinceMs > ownAliveMs && one.atMs > ownAliveMs,
  );
  const latest = unanswered.at(-1);
  if (latest === undefined) return null;
  return { untilMs: latest.forMs === null ? Infinity : latest.atMs + latest.forMs, isUnauthorized: false };
}

/** The evidence that counts at that moment: two minutes before the last, and the last of each call. */
function upTo(failures: readonly CallRefusedByTrunk[], atMs: number): readonly CallRefusedByTrunk[] {
  const known = failures.filter((each) => each.atMs <= atMs);
  const latestMs = known.at(-1)?.atMs ?? 0;
  return known.filter(
    (each, index) =>
      latestMs - each.atMs < 120_000 && !known.slice(index + 1).some(({ callId }) => callId === each.callId),
  );
}

function isSeveral(doubts: readonly CallRefusedByTrunk[]): boolean {
  return doubts.length > 2 && new Set(doubts.map(({ destination }) => destination)).size > 2;
}

function isShared(all: readonly TrunkEvidence[], doubts: readonly CallRefusedByTrunk[], atMs: number): boolean {
  return isSeveral(doubts) && (accounts(doubts) > 1 || users(all, atMs) === 1);
}

function users(all: readonly TrunkEvidence[], atMs: number): number {
  const using = all.flatMap((each) =>
    'accountId' in each && each.atMs <= atMs && atMs - each.atMs < 600_000 ? [each.accountId] : [],
  );
  return new Set(using).size;
}

const accounts = (doubts: readonly CallRefusedByTrunk[]) => new Set(doubts.map(({ accountId }) => accountId)).size;
const of = <Kind extends TrunkEvidence['kind']>(all: readonly TrunkEvidence[], kind: Kind) =>
  all.filter((each): each is Of<Kind> => each.kind === kind);
const last = (all: readonly TrunkEvidence[]) => Math.max(-Infinity, ...all.map(({ atMs }) => atMs));
const longest = (outages: readonly ModelOutage[]) => outages.toSorted((a, b) => (a.untilMs < b.untilMs ? 1 : -1))[0];
