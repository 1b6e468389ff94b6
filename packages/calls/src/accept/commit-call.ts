import type { CallId } from '@outdial/contracts';
import { invariant, unreachable, withDeadline, type Clock } from '@outdial/kernel';
import type { Call } from '../call.ts';
import {
  WritesUnavailable,
  RowRejected,
  type AcceptOutcome,
  type AcceptRow,
  type AcceptStore,
} from '../ports/accept-store.ts';
import type { CallQueue } from '../ports/call-queue.ts';
import type { CallReader } from '../ports/call-reader.ts';
import type { Gate } from '../ports/gate.ts';
import { releaseReservation } from './reserve-call.ts';

export interface CommitCallDeps {
  readonly clock: Clock;
  readonly gate: Pick<Gate, 'release' | 'close'>;
  readonly store: AcceptStore;
  readonly reader: Pick<CallReader, 'find'>;
  readonly queue: Pick<CallQueue, 'add'>;
  readonly requestRebuild: () => void;
}

export type CommitCallOutcome =
  | { readonly kind: 'accepted'; readonly call: Call }
  /** A call with this id exists already; this request's reservation is released. */
  | { readonly kind: 'call_exists' }
  /** The call was not accepted, and this request can no longer become a call. */
  | { readonly kind: 'service_unavailable'; readonly cause: unknown }
  | { readonly kind: 'outcome_unknown'; readonly callId: CallId; readonly cause: unknown };

/** By the monotonic clock: when to stop waiting for the row, and when the response is due, whatever is known. */
export interface CommitDeadlines {
  readonly acceptByMs: number;
  readonly answerByMs: number;
}

/**
 * Makes a call of a reservation. If Postgres does not answer, it ensures over another connection that the row never
 * becomes a call, and reports `service_unavailable` only if that succeeded.
 * @throws RowRejected if Postgres rejected this row's data; nothing was stored.
 */
export function createCommitCall(deps: CommitCallDeps) {
  function enqueue(callId: CallId): void {
    // The row is the outbox: the reconcile loop adds what the queue did not take.
    deps.queue.add([callId]).catch(() => undefined);
  }

  function decide(row: AcceptRow, outcome: AcceptOutcome): CommitCallOutcome {
    switch (outcome.kind) {
      case 'accepted':
        enqueue(row.callId);
        return outcome;
      case 'call_exists':
        releaseReservation(deps.gate, row);
        return outcome;
      case 'gate_stale':
        deps.gate.close(row.token).catch(() => undefined);
        deps.requestRebuild();
        releaseReservation(deps.gate, row);
        return { kind: 'service_unavailable', cause: new Error('the gate’s contents were stale') };
      case 'voided':
      case 'expired':
        releaseReservation(deps.gate, row);
        return { kind: 'service_unavailable', cause: new Error(`the row was ${outcome.kind}`) };
      default:
        return unreachable(outcome);
    }
  }

  /** COMMIT's outcome is unknown. The first to insert the reservation, the late COMMIT or this, decides. */
  async function resolveUnknown(row: AcceptRow, answerByMs: number, cause: unknown): Promise<CommitCallOutcome> {
    const { accountId, callId, reservationId } = row;
    try {
      const decision = await withDeadline(deps.clock, answerByMs, deps.store.voidReservation(reservationId));
      if (decision === 'voided') {
        releaseReservation(deps.gate, row);
        return { kind: 'service_unavailable', cause };
      }
      enqueue(callId);
      const call = await withDeadline(deps.clock, answerByMs, deps.reader.find(accountId, callId));
      invariant(call !== null, 'a used reservation has its call');
      return { kind: 'accepted', call };
    } catch (silence) {
      return {
        kind: 'outcome_unknown',
        callId,
        cause: new AggregateError([cause, silence], 'Postgres does not answer'),
      };
    }
  }

  return async function commitCall(row: AcceptRow, deadlines: CommitDeadlines): Promise<CommitCallOutcome> {
    let outcome: AcceptOutcome;
    try {
      outcome = await withDeadline(deps.clock, deadlines.acceptByMs, deps.store.accept(row));
    } catch (cause) {
      const isKnown = cause instanceof RowRejected || cause instanceof WritesUnavailable;
      if (!isKnown) return resolveUnknown(row, deadlines.answerByMs, cause);
      releaseReservation(deps.gate, row);
      if (cause instanceof WritesUnavailable) return { kind: 'service_unavailable', cause };
      throw cause;
    }
    return decide(row, outcome);
  };
}
