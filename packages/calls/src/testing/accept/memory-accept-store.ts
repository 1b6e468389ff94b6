import type { AccountId, CallId, ReservationId } from '@outdial/contracts';
import { systemClock, type Clock } from '@outdial/kernel';
import type { QueuedCall } from '../../call.ts';
import { DeadlineExceeded } from '@outdial/kernel';
import {
  RowRejected,
  type AcceptOutcome,
  type AcceptRow,
  type AcceptStore,
  type IdempotencyQuestion,
  type StoredIdempotentCall,
} from '../../ports/accept-store.ts';
import type { GateToken } from '../../ports/gate.ts';

interface MemoryAcceptStoreOptions {
  /** What Postgres compares the token of each row with. */
  readonly token: GateToken;
  /** The accounts that exist. */
  readonly accountIds: readonly AccountId[];
  readonly clock?: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

/** Accepted calls and decided reservations, with the rules of `accept_calls`. */
export class MemoryAcceptStore implements AcceptStore {
  readonly rows = new Map<CallId, AcceptRow>();
  readonly reservations = new Map<ReservationId, 'used' | 'void'>();
  token: GateToken;
  readonly #calls = new Map<CallId, QueuedCall>();
  readonly #accountIds: ReadonlySet<AccountId>;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;

  constructor({ token, accountIds, clock = systemClock }: MemoryAcceptStoreOptions) {
    this.token = token;
    this.#accountIds = new Set(accountIds);
    this.#clock = clock;
  }

  async accept(row: AcceptRow): Promise<AcceptOutcome> {
    if (row.sendByMs < this.#clock.monotonicMs()) return { kind: 'expired' };
    if (!isSame(row.token, this.token)) return { kind: 'gate_stale' };
    if (this.reservations.has(row.reservationId)) return { kind: 'voided' };
    if (this.rows.has(row.callId)) return { kind: 'call_exists' };
    if (!this.#accountIds.has(row.accountId)) throw new RowRejected(new Error(`there is no account ${row.accountId}`));
    return { kind: 'accepted', call: this.store(row) };
  }

  async voidReservation(reservationId: ReservationId): Promise<'voided' | 'used'> {
    if (this.reservations.get(reservationId) === 'used') return 'used';
    this.reservations.set(reservationId, 'void');
    return 'voided';
  }

  async findIdempotent(question: IdempotencyQuestion): Promise<StoredIdempotentCall | null> {
    if (question.sendByMs < this.#clock.monotonicMs()) throw new DeadlineExceeded();
    const call = this.find(question.accountId, question.callId);
    const bodyDigest = this.rows.get(question.callId)?.idempotency?.bodyDigest;
    return call && bodyDigest !== undefined ? { call, bodyDigest } : null;
  }

  find(accountId: AccountId, callId: CallId): QueuedCall | null {
    const call = this.#calls.get(callId);
    return call?.accountId === accountId ? call : null;
  }

  /** Makes a call of the row. */
  store(row: AcceptRow): QueuedCall {
    const {
      callId,
      token: _token,
      idempotency: _key,
      requestId: _request,
      queueTtlSeconds,
      sendByMs: _by,
      ...facts
    } = row;
    const createdAtMs = this.#clock.nowMs();
    const expiresAtMs = createdAtMs + queueTtlSeconds * 1_000;
    const call: QueuedCall = {
      ...facts,
      id: callId,
      status: 'queued',
      usage: [],
      reviewNote: null,
      createdAtMs,
      expiresAtMs,
    };
    this.rows.set(callId, row);
    this.reservations.set(row.reservationId, 'used');
    this.#calls.set(callId, call);
    return call;
  }
}

function isSame(one: GateToken, other: GateToken): boolean {
  return one.generation === other.generation && one.walTimeline === other.walTimeline;
}
