import type { AccountId, CallId } from '@outdial/contracts';
import { invariant, unreachable, withDeadline } from '@outdial/kernel';
import type { Call } from '../call.ts';
import type { AcceptOutcome, AcceptRow, AcceptStore, ScheduleRow } from '../ports/accept-store.ts';
import type { CallQueue } from '../ports/call-queue.ts';
import type { CallReader } from '../ports/call-reader.ts';
import type { Gate, GateToken } from '../ports/gate.ts';
import { releaseReservation } from './reserve-call.ts';
import { storeRow, type RowDeadlines, type StoreRowDeps, type StoreRowOutcome } from './store-row.ts';

export interface CommitCallDeps extends StoreRowDeps {
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
  /** The number is on a do-not-call list; this request’s reservation is released. */
  | { readonly kind: 'suppressed' }
  /** The number was called as often as the policy allows; this request’s reservation is released. */
  | { readonly kind: 'frequency_capped' }
  /** The call was not accepted, and this request can no longer become a call. */
  | { readonly kind: 'service_unavailable'; readonly cause: unknown }
  | { readonly kind: 'outcome_unknown'; readonly callId: CallId; readonly cause: unknown };

/** Postgres found that the gate decided under stale contents. */
export class GateStale extends Error {
  constructor() {
    super('the gate’s contents were stale');
    this.name = 'GateStale';
  }
}

/**
 * Makes a call of a reservation. If Postgres does not answer, it ensures that the row never becomes a call, and reports
 * `service_unavailable` only if that succeeded.
 * @throws RowRejected if Postgres rejected this row's data; nothing was stored.
 */
export function createCommitCall(deps: CommitCallDeps) {
  function decide(row: AcceptRow, outcome: AcceptOutcome): CommitCallOutcome {
    switch (outcome.kind) {
      case 'accepted':
        enqueue(deps, row.callId);
        return outcome;
      case 'call_exists':
      case 'suppressed':
      case 'frequency_capped':
        releaseReservation(deps.gate, row);
        return outcome;
      case 'gate_stale':
        closeStale(deps, row.token);
        releaseReservation(deps.gate, row);
        return { kind: 'service_unavailable', cause: new GateStale() };
      case 'voided':
      case 'expired':
        releaseReservation(deps.gate, row);
        return notStored(outcome.kind);
      default:
        return unreachable(outcome);
    }
  }

  return async function commitCall(row: AcceptRow, deadlines: RowDeadlines): Promise<CommitCallOutcome> {
    const stored = await storeRow(deps, row.reservationId, deadlines, () => deps.store.accept(row));
    if (stored.kind === 'answered') return decide(row, stored.outcome);
    if (stored.kind === 'stored') enqueue(deps, row.callId);
    if (stored.kind === 'rejected' || stored.kind === 'not_stored') releaseReservation(deps.gate, row);
    return learned(deps, row, deadlines, stored);
  };
}

/** Stores a call that is admitted later. It has no reservation in the gate, so that Redis is not asked. */
export function createCommitSchedule(deps: Pick<CommitCallDeps, 'clock' | 'store' | 'reader'>) {
  return async function commitSchedule(row: ScheduleRow, deadlines: RowDeadlines): Promise<CommitCallOutcome> {
    const stored = await storeRow(deps, row.arbiterId, deadlines, () => deps.store.schedule(row));
    if (stored.kind !== 'answered') return learned(deps, row, deadlines, stored);
    const { outcome } = stored;
    if (outcome.kind === 'scheduled') return { kind: 'accepted', call: outcome.call };
    return outcome.kind === 'call_exists' || outcome.kind === 'suppressed' ? outcome : notStored(outcome.kind);
  };
}

/** What a request may say of a row that was not answered. */
async function learned(
  deps: Pick<CommitCallDeps, 'clock' | 'reader'>,
  { accountId, callId }: { readonly accountId: AccountId; readonly callId: CallId },
  { answerByMs }: RowDeadlines,
  stored: Exclude<StoreRowOutcome<unknown>, { readonly kind: 'answered' }>,
): Promise<CommitCallOutcome> {
  const { cause } = stored;
  switch (stored.kind) {
    case 'rejected':
      throw stored.cause;
    case 'not_stored':
      return { kind: 'service_unavailable', cause };
    case 'unknown':
      return { kind: 'outcome_unknown', callId, cause };
    case 'stored':
      break;
    default:
      return unreachable(stored);
  }
  try {
    const call = await withDeadline(deps.clock, answerByMs, deps.reader.find(accountId, callId));
    invariant(call !== null, 'a used reservation has its call');
    return { kind: 'accepted', call };
  } catch (silence) {
    const both = new AggregateError([cause, silence], 'Postgres does not answer');
    return { kind: 'outcome_unknown', callId, cause: both };
  }
}

function notStored(kind: 'voided' | 'expired'): CommitCallOutcome {
  return { kind: 'service_unavailable', cause: new Error(`the row was ${kind}`) };
}

/** Not awaited. The row is the outbox: the reconcile loop adds what the queue did not take. */
export function enqueue({ queue }: Pick<CommitCallDeps, 'queue'>, callId: CallId): void {
  queue.add([callId]).catch(() => undefined);
}

/** Nothing is reserved under these contents any more. */
export function closeStale(deps: Pick<CommitCallDeps, 'gate' | 'requestRebuild'>, token: GateToken): void {
  deps.gate.close(token).catch(() => undefined);
  deps.requestRebuild();
}
