import type { ReservationId } from '@outdial/contracts';
import { withDeadline, type Clock } from '@outdial/kernel';
import { RowRejected, WritesUnavailable, type AcceptStore } from '../ports/accept-store.ts';

export interface StoreRowDeps {
  readonly clock: Clock;
  readonly store: Pick<AcceptStore, 'voidReservation'>;
}

/** By the monotonic clock: when to stop waiting for the row, and until when to find out what became of it. */
export interface RowDeadlines {
  readonly acceptByMs: number;
  readonly answerByMs: number;
}

/** What became of a row whose reservation decides. */
export type StoreRowOutcome<Outcome> =
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  /** The row's own data was rejected: nothing was stored. */
  | { readonly kind: 'rejected'; readonly cause: RowRejected }
  /** Nothing was stored, and nothing will be. */
  | { readonly kind: 'not_stored'; readonly cause: unknown }
  /** The row was stored, and its answer was lost. */
  | { readonly kind: 'stored'; readonly cause: unknown }
  /** Postgres does not say. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Sends a row. If Postgres does not answer, it ensures over another connection that the row never takes effect: the first
 * to insert the reservation, the late COMMIT or this, decides.
 */
export async function storeRow<Outcome>(
  deps: StoreRowDeps,
  reservationId: ReservationId,
  deadlines: RowDeadlines,
  send: () => Promise<Outcome>,
): Promise<StoreRowOutcome<Outcome>> {
  try {
    return { kind: 'answered', outcome: await withDeadline(deps.clock, deadlines.acceptByMs, send()) };
  } catch (cause) {
    if (cause instanceof RowRejected) return { kind: 'rejected', cause };
    if (cause instanceof WritesUnavailable) return { kind: 'not_stored', cause };
    return learn(deps, reservationId, deadlines.answerByMs, cause);
  }
}

async function learn(
  deps: StoreRowDeps,
  reservationId: ReservationId,
  answerByMs: number,
  cause: unknown,
): Promise<Exclude<StoreRowOutcome<never>, { readonly kind: 'answered' | 'rejected' }>> {
  try {
    const decision = await withDeadline(deps.clock, answerByMs, deps.store.voidReservation(reservationId));
    return { kind: decision === 'voided' ? 'not_stored' : 'stored', cause };
  } catch (silence) {
    return { kind: 'unknown', cause: new AggregateError([cause, silence], 'Postgres does not answer') };
  }
}
