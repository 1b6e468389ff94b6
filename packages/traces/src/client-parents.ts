import type { AccountId } from '@outdial/contracts';
import {
  formatTraceParent,
  isSampled,
  parseTraceParent,
  tracePositionOf,
  type Clock,
  type TraceParent,
} from '@outdial/kernel';
import { isWithinRatio } from './ratio.ts';
import { RecentMap } from './recent-map.ts';
import type { Sampling } from './settings.ts';

/** Traces of clients that one account may have continued in a second, and how many at once. */
export const MOST_PER_SECOND = 10;
export const MOST_AT_ONCE = 50;
const MOST_ACCOUNTS = 10_000;

/** What an account may still have continued: it grows with the time. */
interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Which traces of clients are continued: those that are sampled within our own ratio. A client that picks the ids of its
 * traces could choose how many spans there are, so that each account has an allowance as well. The calls of other traces
 * begin one here.
 */
export function createClientParents(clock: Clock, { ratio, asksParent }: Sampling) {
  const allowances = new RecentMap<AccountId, Allowance>(MOST_ACCOUNTS);

  function isAllowed(accountId: AccountId): boolean {
    const nowMs = clock.monotonicMs();
    const { left, atMs } = allowances.get(accountId) ?? { left: MOST_AT_ONCE, atMs: nowMs };
    const grown = Math.min(MOST_AT_ONCE, left + ((nowMs - atMs) / 1_000) * MOST_PER_SECOND);
    const isLeft = grown >= 1;
    allowances.set(accountId, { left: isLeft ? grown - 1 : grown, atMs: nowMs });
    return isLeft;
  }

  /** The parent of the request's span; null: it begins a trace. */
  return function parentFor(header: string | undefined, accountId: AccountId): TraceParent | null {
    if (header === undefined) return null;
    const parent = parseTraceParent(header);
    if (parent === null || (asksParent && !isSampled(parent))) return null;
    const position = tracePositionOf(parent);
    if (!isWithinRatio(position.traceId, ratio) || !isAllowed(accountId)) return null;
    // The client may have left out its own part of the trace: where the ratio alone decides, ours is recorded.
    return formatTraceParent({ ...position, isSampled: true });
  };
}
