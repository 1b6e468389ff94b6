import { micros, type AccountId, type CallId, type E164, type ReservationId } from '@outdial/contracts';
import { DeadlineExceeded, systemClock, type Clock } from '@outdial/kernel';
import type { Call, CallSchedule, QueuedCall, ScheduledCall } from '../../call.ts';
import {
  RowRejected,
  type AcceptOutcome,
  type AcceptRow,
  type AcceptStore,
  type AskedSchedule,
  type IdempotencyQuestion,
  type ScheduleOutcome,
  type ScheduleRow,
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

/** Accepted and scheduled calls and decided reservations, with the rules of `accept_calls` and `schedule_calls`. */
export class MemoryAcceptStore implements AcceptStore {
  readonly rows = new Map<CallId, AcceptRow>();
  readonly scheduleRows = new Map<CallId, ScheduleRow>();
  readonly reservations = new Map<ReservationId, 'used' | 'void'>();
  readonly calls = new Map<CallId, Call>();
  /** The do-not-call lists of accounts. */
  readonly suppressed = new Map<AccountId, Set<E164>>();
  /** Numbers that have reached a cap, and until when. */
  readonly capped = new Map<E164, number>();
  token: GateToken;
  /** In the same statement as a call that is scheduled. */
  onScheduled: (call: ScheduledCall) => void = () => undefined;
  readonly #accountIds: ReadonlySet<AccountId>;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;

  constructor({ token, accountIds, clock = systemClock }: MemoryAcceptStoreOptions) {
    this.token = token;
    this.#accountIds = new Set(accountIds);
    this.#clock = clock;
  }

  async accept(row: AcceptRow): Promise<AcceptOutcome> {
    if (row.sendByMs < this.#clock.monotonicMs()) return { kind: 'expired' };
    if (!this.isCurrent(row.token)) return { kind: 'gate_stale' };
    if (this.reservations.has(row.reservationId)) return { kind: 'voided' };
    if (this.calls.has(row.callId)) return { kind: 'call_exists' };
    if (this.isSuppressed(row)) return { kind: 'suppressed' };
    if (this.cappedUntil(row.calleeNumber) !== null) return { kind: 'frequency_capped' };
    this.#requireAccount(row.accountId);
    return { kind: 'accepted', call: this.store(row) };
  }

  async schedule(row: ScheduleRow): Promise<ScheduleOutcome> {
    if (row.sendByMs < this.#clock.monotonicMs()) return { kind: 'expired' };
    if (this.reservations.has(row.arbiterId)) return { kind: 'voided' };
    if (this.calls.has(row.callId)) return { kind: 'call_exists' };
    if (this.isSuppressed(row)) return { kind: 'suppressed' };
    this.#requireAccount(row.accountId);
    return { kind: 'scheduled', call: this.storeScheduled(row) };
  }

  async countScheduled(accountId: AccountId, limit: number): Promise<number> {
    const calls = [...this.calls.values()];
    return Math.min(limit, calls.filter((call) => call.accountId === accountId && call.status === 'scheduled').length);
  }

  async cappedUntilMs(_accountId: AccountId, number: E164): Promise<number | null> {
    return this.cappedUntil(number);
  }

  async voidReservation(reservationId: ReservationId): Promise<'voided' | 'used'> {
    if (this.reservations.get(reservationId) === 'used') return 'used';
    this.reservations.set(reservationId, 'void');
    return 'voided';
  }

  async findIdempotent(question: IdempotencyQuestion): Promise<StoredIdempotentCall | null> {
    if (question.sendByMs < this.#clock.monotonicMs()) throw new DeadlineExceeded();
    const call = this.find(question.accountId, question.callId);
    const row = this.rows.get(question.callId) ?? this.scheduleRows.get(question.callId);
    const bodyDigest = row?.idempotency?.bodyDigest;
    return call && bodyDigest !== undefined ? { call, bodyDigest } : null;
  }

  find(accountId: AccountId, callId: CallId): Call | null {
    const call = this.calls.get(callId);
    return call?.accountId === accountId ? call : null;
  }

  suppress({ accountId, calleeNumber }: Pick<AcceptRow, 'accountId' | 'calleeNumber'>): void {
    this.suppressed.set(accountId, new Set(this.suppressed.get(accountId)).add(calleeNumber));
  }

  isSuppressed({ accountId, calleeNumber }: Pick<AcceptRow, 'accountId' | 'calleeNumber'>): boolean {
    return this.suppressed.get(accountId)?.has(calleeNumber) ?? false;
  }

  cappedUntil(number: E164): number | null {
    const untilMs = this.capped.get(number);
    return untilMs !== undefined && untilMs > this.#clock.nowMs() ? untilMs : null;
  }

  isCurrent({ generation, walTimeline }: GateToken): boolean {
    return generation === this.token.generation && walTimeline === this.token.walTimeline;
  }

  /** Makes a call of the row. */
  store(row: AcceptRow): QueuedCall {
    const createdAtMs = this.#clock.nowMs();
    const call: QueuedCall = {
      ...factsOf(row, createdAtMs),
      status: 'queued',
      holdMicros: row.holdMicros,
      conducted: row.conducted,
      schedule: row.schedule && firstAttempt(row.schedule),
      expiresAtMs: createdAtMs + row.queueTtlSeconds * 1_000,
    };
    this.rows.set(row.callId, row);
    this.reservations.set(row.reservationId, 'used');
    this.calls.set(row.callId, call);
    return call;
  }

  /** Makes a scheduled call of the row. */
  storeScheduled(row: ScheduleRow): ScheduledCall {
    const call: ScheduledCall = {
      ...factsOf(row, this.#clock.nowMs()),
      status: 'scheduled',
      holdMicros: micros(0),
      conducted: null,
      schedule: firstAttempt(row.schedule),
      waitingFor: row.waitingFor,
    };
    this.scheduleRows.set(row.callId, row);
    this.reservations.set(row.arbiterId, 'used');
    this.calls.set(row.callId, call);
    this.onScheduled(call);
    return call;
  }

  #requireAccount(accountId: AccountId): void {
    if (!this.#accountIds.has(accountId)) throw new RowRejected(new Error(`there is no account ${accountId}`));
  }
}

function factsOf(row: AcceptRow | ScheduleRow, createdAtMs: number) {
  const { accountId, agentId, agentVersion, callerNumber, calleeNumber, currency, rate, limits } = row;
  const { callId: id, variables, metadata, webhookUrl } = row;
  const numbers = { callerNumber, calleeNumber };
  const asked = { limits, variables, metadata, webhookUrl };
  const facts = { id, accountId, agentId, agentVersion, ...numbers, currency, rate, ...asked };
  return { ...facts, usage: [], reviewNote: null, createdAtMs };
}

function firstAttempt({ scheduledForMs, giveUpAtMs, retry }: AskedSchedule): CallSchedule {
  return { scheduledForMs, giveUpAtMs, retry, attempt: 1, retryOf: null, nextCallId: null, campaignId: null };
}
