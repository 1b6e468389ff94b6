import type { AccountId, CallId, ReservationId } from '@outdial/contracts';
import type { AccountLimits, GateSnapshot, GateToken, ReleaseInput, SystemLimits } from './gate.ts';

export type HoldStatus =
  /** The call with this reservation is open: the hold is right. */
  | { readonly kind: 'open' }
  | { readonly kind: 'ended'; readonly release: ReleaseInput }
  /** No call has this reservation. */
  | { readonly kind: 'unknown' };

/** What the reconcile loop and a rebuild read and write in Postgres. */
export interface ReconcileStore {
  /** One status per hold, in the given order. */
  holdStatuses(
    holds: readonly { readonly callId: CallId; readonly reservationId: ReservationId }[],
  ): Promise<readonly HoldStatus[]>;
  limitsOf(accountIds: readonly AccountId[]): Promise<readonly AccountLimits[]>;
  systemLimits(): Promise<SystemLimits>;
  /** Calls still queued after `olderThanMs`, oldest first. `expired`: past their time in the queue. */
  queuedCalls(input: {
    readonly olderThanMs: number;
    readonly limit: number;
  }): Promise<readonly { readonly callId: CallId; readonly expired: boolean }[]>;
  currentToken(): Promise<GateToken>;
  /** Takes the exclusive lock and the next generation; accepts under any earlier generation fail from then on. */
  nextGeneration(): Promise<GateToken>;
  /** Open calls, their accounts' balances and the limits, in one statement. */
  snapshot(token: GateToken): Promise<GateSnapshot>;
}
