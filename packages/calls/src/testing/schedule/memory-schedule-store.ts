import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@outdial/kernel';
import { micros, type AccountId, type CallId, type EndedReason, type WaitingFor } from '@outdial/contracts';
import type { EndedCall, QueuedCall, ScheduledCall } from '../../call.ts';
import {
  MOST_DUE_COUNTED,
  TURN_MS,
  type AdmitOutcome,
  type AdmitRow,
  type NotPermitted,
  type ScheduleStore,
  type TakenCall,
  type Turn,
} from '../../ports/schedule-store.ts';
import type { MemoryAcceptStore } from '../accept/memory-accept-store.ts';

interface MemoryScheduleStoreOptions {
  /** Has the calls, and the gate's token. */
  readonly accepts: MemoryAcceptStore;
  /** How many calls an account may have at once. */
  readonly capacityOf: (accountId: AccountId) => number;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/** An account's row of `dial_turns`. */
interface DialTurn {
  dueAtMs: number;
  /** The earliest due time that was written since the last turn began. */
  newDueMs: number;
  heldUntilMs: number;
  epoch: number;
}

interface Taking {
  readonly admitToken: string;
  readonly untilMs: number;
}

/** A statement that began before a call's time was over may commit after it. */
const TAKEN_AGAIN_AFTER_MS = 2_000;
const NEVER = Number.POSITIVE_INFINITY;
/** A turn never waits longer. */
const MENDED_AFTER_MS = 30_000;

/** Scheduled calls and the turns of their accounts, with the rules of the statements. */
export class MemoryScheduleStore implements ScheduleStore {
  readonly turns = new Map<AccountId, DialTurn>();
  readonly #taken = new Map<CallId, Taking>();
  /** When calls that a policy made wait are due. */
  readonly #postponed = new Map<CallId, number>();
  readonly #accepts: MemoryAcceptStore;
  readonly #capacityOf: (accountId: AccountId) => number;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor({ accepts, capacityOf, clock = systemClock }: MemoryScheduleStoreOptions) {
    this.#accepts = accepts;
    this.#capacityOf = capacityOf;
    this.#clock = clock;
    accepts.onScheduled = (call) => this.#dueBy(call.accountId, this.#dueAtOf(call));
  }

  async beginTurns({ limit }: { readonly limit: number }): Promise<readonly Turn[]> {
    const nowMs = this.#clock.nowMs();
    return [...this.turns]
      .filter(([, { dueAtMs, heldUntilMs }]) => dueAtMs <= nowMs && heldUntilMs <= nowMs)
      .toSorted(([, left], [, right]) => left.dueAtMs - right.dueAtMs)
      .slice(0, limit)
      .map(([accountId, turn]) => {
        turn.epoch += 1;
        turn.heldUntilMs = turn.dueAtMs = nowMs + TURN_MS;
        turn.newDueMs = NEVER;
        const [first, ...others] = this.#dueCalls(accountId);
        const dueCalls = Math.min(MOST_DUE_COUNTED, others.length + (first ? 1 : 0));
        const queueTtlSeconds = first ? (this.#accepts.scheduleRows.get(first.id)?.queueTtlSeconds ?? 0) : 0;
        const freeSlots = this.#freeSlots(accountId);
        const single = { accountId, epoch: turn.epoch, freeSlots, dueCalls, queueTtlSeconds };
        return { ...single, campaignSlots: 0, campaigns: [] };
      });
  }

  async takeDue({
    accountId,
    epoch,
    limit,
  }: Pick<Turn, 'accountId' | 'epoch'> & { readonly limit: number }): Promise<readonly TakenCall[]> {
    if (!this.#holds(accountId, epoch)) return [];
    return this.#dueCalls(accountId)
      .slice(0, limit)
      .map((call) => {
        const admitToken = randomUUID();
        this.#taken.set(call.id, { admitToken, untilMs: this.#clock.nowMs() + TURN_MS });
        const { id: callId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables } = call;
        const row = this.#accepts.scheduleRows.get(callId);
        const requestId = row?.requestId ?? '';
        const { giveUpAtMs } = call.schedule;
        const calleeTimeZone = row?.place.givenZone ?? null;
        const facts = { callId, accountId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables };
        return { ...facts, requestId, admitToken, scheduledForMs: this.#dueAtOf(call), giveUpAtMs, calleeTimeZone };
      });
  }

  /** It has no campaigns. */
  async stock(): Promise<number> {
    return 0;
  }

  async admit(row: AdmitRow): Promise<AdmitOutcome> {
    if (!this.#accepts.isCurrent(row.token)) return { kind: 'gate_stale' };
    if (this.#accepts.reservations.has(row.reservationId)) return { kind: 'voided' };
    const call = this.#takenBy(row);
    const nowMs = this.#clock.nowMs();
    const isLate = (this.#taken.get(row.callId)?.untilMs ?? 0) <= nowMs;
    if (!call || isLate || call.schedule.giveUpAtMs <= nowMs) return { kind: 'gone' };
    if (this.#accepts.isSuppressed(call)) return { kind: 'suppressed' };
    if (this.#accepts.cappedUntil(call.calleeNumber) !== null) return { kind: 'frequency_capped' };
    const { waitingFor: _waits, ...facts } = call;
    const { holdMicros, rate, conducted } = row;
    const ttlMs = (this.#accepts.scheduleRows.get(row.callId)?.queueTtlSeconds ?? 0) * 1_000;
    const expiresAtMs = Math.min(nowMs + ttlMs, call.schedule.giveUpAtMs);
    const queued: QueuedCall = { ...facts, status: 'queued', holdMicros, rate, conducted, expiresAtMs };
    this.#accepts.calls.set(row.callId, queued);
    this.#accepts.reservations.set(row.reservationId, 'used');
    this.#taken.delete(row.callId);
    return { kind: 'admitted', lateMs: nowMs - this.#dueAtOf(call) };
  }

  async putBack({
    calls,
    waitingFor,
  }: {
    readonly calls: readonly Pick<TakenCall, 'callId' | 'admitToken'>[];
    readonly waitingFor: Extract<WaitingFor, 'capacity' | 'funds'> | null;
  }): Promise<void> {
    for (const taken of calls) {
      const call = this.#takenBy(taken);
      if (!call) continue;
      this.#taken.delete(taken.callId);
      this.#accepts.calls.set(taken.callId, { ...call, waitingFor });
    }
  }

  async postpone({ waitingFor, dueAtMs, ...taken }: Parameters<ScheduleStore['postpone']>[0]): Promise<void> {
    const call = this.#takenBy(taken);
    if (!call) return;
    this.#taken.delete(taken.callId);
    this.#postponed.set(taken.callId, dueAtMs);
    this.#accepts.calls.set(taken.callId, { ...call, waitingFor });
  }

  async refuse({ reason, ...taken }: NotPermitted): Promise<boolean> {
    const call = this.#takenBy(taken);
    if (call) this.#end(call, reason);
    return call !== null;
  }

  async endTurn({
    accountId,
    epoch,
    notBeforeMs,
  }: Pick<Turn, 'accountId' | 'epoch'> & { readonly notBeforeMs: number }): Promise<void> {
    const turn = this.turns.get(accountId);
    if (!turn || !this.#holds(accountId, epoch)) return;
    const nowMs = this.#clock.nowMs();
    const lasting = this.#waiting(accountId).filter(({ schedule }) => schedule.giveUpAtMs > nowMs);
    const headMs = Math.min(NEVER, ...lasting.map((call) => this.#takeableAtMs(call)));
    turn.dueAtMs = Math.min(Math.max(headMs, nowMs + notBeforeMs), turn.newDueMs);
    turn.heldUntilMs = nowMs;
  }

  async endExpired({ limit }: { readonly limit: number }): Promise<number> {
    const nowMs = this.#clock.nowMs();
    const over = this.#waiting().filter(({ schedule }) => schedule.giveUpAtMs <= nowMs);
    for (const call of over.slice(0, limit)) this.#end(call, 'schedule_expired');
    return Math.min(over.length, limit);
  }

  async mendTurns(): Promise<number> {
    const nowMs = this.#clock.nowMs();
    const accountIds = new Set(this.#waiting().map(({ accountId }) => accountId));
    const missed = [...accountIds].filter((accountId) => {
      const dueAtMs = this.turns.get(accountId)?.dueAtMs ?? NEVER;
      return dueAtMs > nowMs + MENDED_AFTER_MS && this.#dueCalls(accountId).length > 0;
    });
    for (const accountId of missed) this.#dueBy(accountId, nowMs);
    return missed.length;
  }

  #dueBy(accountId: AccountId, dueAtMs: number): void {
    const turn = this.turns.get(accountId) ?? { dueAtMs: NEVER, newDueMs: NEVER, heldUntilMs: 0, epoch: 0 };
    turn.dueAtMs = Math.min(turn.dueAtMs, dueAtMs);
    turn.newDueMs = Math.min(turn.newDueMs, dueAtMs);
    this.turns.set(accountId, turn);
  }

  #holds(accountId: AccountId, epoch: number): boolean {
    const turn = this.turns.get(accountId);
    return turn?.epoch === epoch && turn.heldUntilMs > this.#clock.nowMs();
  }

  #waiting(accountId?: AccountId): readonly ScheduledCall[] {
    return [...this.#accepts.calls.values()].filter(
      (call): call is ScheduledCall =>
        call.status === 'scheduled' && (accountId === undefined || call.accountId === accountId),
    );
  }

  #dueCalls(accountId: AccountId): readonly ScheduledCall[] {
    const nowMs = this.#clock.nowMs();
    return this.#waiting(accountId)
      .filter((call) => this.#takeableAtMs(call) <= nowMs && call.schedule.giveUpAtMs > nowMs)
      .toSorted((left, right) => this.#dueAtOf(left) - this.#dueAtOf(right));
  }

  #takeableAtMs(call: ScheduledCall): number {
    const taking = this.#taken.get(call.id);
    return taking ? taking.untilMs + TAKEN_AGAIN_AFTER_MS : this.#dueAtOf(call);
  }

  #freeSlots(accountId: AccountId): number {
    const nowMs = this.#clock.nowMs();
    const isOpen = new Set(['queued', 'dialing', 'ringing', 'in_progress']);
    const own = [...this.#accepts.calls.values()].filter((call) => call.accountId === accountId);
    const open = own.filter(({ status }) => isOpen.has(status)).length;
    const admitting = this.#waiting(accountId).filter(({ id }) => this.#taken.has(id));
    const stillTaken = admitting.filter((call) => this.#takeableAtMs(call) > nowMs).length;
    return this.#capacityOf(accountId) - open - stillTaken;
  }

  #dueAtOf({ id, schedule, createdAtMs }: ScheduledCall): number {
    return (
      this.#postponed.get(id) ?? this.#accepts.scheduleRows.get(id)?.dueAtMs ?? schedule.scheduledForMs ?? createdAtMs
    );
  }

  #takenBy({ callId, admitToken }: Pick<TakenCall, 'callId' | 'admitToken'>): ScheduledCall | null {
    const call = this.#accepts.calls.get(callId);
    return call?.status === 'scheduled' && this.#taken.get(callId)?.admitToken === admitToken ? call : null;
  }

  #end({ waitingFor: _waits, ...facts }: ScheduledCall, endedReason: EndedReason): void {
    const nowMs = this.#clock.nowMs();
    const times = { startedAtMs: nowMs, answeredAtMs: null, endedAtMs: nowMs };
    const call: EndedCall = { ...facts, ...NEVER_DIALED, ...times, status: 'ended', endedReason };
    this.#taken.delete(call.id);
    this.#accepts.calls.set(call.id, call);
  }
}

const NEVER_DIALED = {
  failure: null,
  answeredBy: null,
  sipCode: null,
  sip: null,
  billableSeconds: 0,
  costMicros: micros(0),
  transcript: null,
  summary: null,
  recordingStatus: 'none',
  analysisStatus: 'none',
  turnMetrics: [],
  analysis: null,
} as const;
