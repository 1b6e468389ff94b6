import { withDeadline, type Clock } from '@outdial/kernel';
import { windowAt, type CalleePlace, type PoliciesInForce } from '@outdial/policies';
import type { AcceptStore } from '../ports/accept-store.ts';
import type { TakenCall } from '../ports/schedule-store.ts';

/** What a calling policy makes a due call wait for. */
export interface PolicyWait {
  readonly waitingFor: 'window' | 'cap';
  /** Null: it is not over within 90 days. */
  readonly untilMs: number | null;
}

/** Hours that close within this time count as closed: the call could not be dialed before. */
const CLOSING_MS = 5_000;
/** When to look again at a cap whose end is not known. */
const CAP_AGAIN_MS = 60_000;

/** Null: the hours are open, and for long enough. */
export function windowWait(policies: PoliciesInForce, place: CalleePlace, nowMs: number): PolicyWait | null {
  const window = windowAt(policies, place, nowMs);
  if (window.kind === 'closed') return { waitingFor: 'window', untilMs: window.opensAtMs };
  if (window.untilMs === null || window.untilMs - nowMs >= CLOSING_MS) return null;
  const next = windowAt(policies, place, window.untilMs);
  return next.kind === 'closed' ? { waitingFor: 'window', untilMs: next.opensAtMs } : null;
}

/** A cap whose end cannot be read, or that has just ended, is looked at again soon. `byMs` is by the monotonic clock. */
export async function capWait(
  { clock, acceptStore }: { readonly clock: Clock; readonly acceptStore: Pick<AcceptStore, 'cappedUntilMs'> },
  call: Pick<TakenCall, 'accountId' | 'calleeNumber'>,
  byMs: number,
): Promise<PolicyWait> {
  const reading = acceptStore.cappedUntilMs(call.accountId, call.calleeNumber);
  const untilMs = await withDeadline(clock, byMs, reading).catch(() => clock.nowMs() + CAP_AGAIN_MS);
  return { waitingFor: 'cap', untilMs: untilMs ?? clock.nowMs() };
}
