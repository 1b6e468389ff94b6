import { randomUUID } from 'node:crypto';
import { micros, type AccountId, type CallId, type CampaignId, type EndedReason } from '@outdial/contracts';
import type { EndedCall, ScheduledCall } from '../../call.ts';
import { MOST_DUE_COUNTED, TURN_MS, type TakenCall } from '../../ports/schedule-store.ts';
import type { MemoryAcceptStore } from '../accept/memory-accept-store.ts';

interface Taking {
  readonly admitToken: string;
  readonly untilMs: number;
}

/** A statement that began before a call's time was over may commit after it. */
const TAKEN_AGAIN_AFTER_MS = 2_000;
const IS_OPEN = new Set(['queued', 'dialing', 'ringing', 'in_progress']);

/** Scheduled calls: when each is due, of which campaign it is, and which turn has taken it. */
export class MemoryWaitingCalls {
  readonly campaignOf = new Map<CallId, CampaignId>();
  readonly #taken = new Map<CallId, Taking>();
  /** When calls that a policy made wait are due. */
  readonly #postponed = new Map<CallId, number>();
  readonly #accepts: MemoryAcceptStore;
  readonly #nowMs: () => number;

  constructor(accepts: MemoryAcceptStore, nowMs: () => number) {
    this.#accepts = accepts;
    this.#nowMs = nowMs;
  }

  all(accountId?: AccountId): readonly ScheduledCall[] {
    return [...this.#accepts.calls.values()].filter(
      (call): call is ScheduledCall =>
        call.status === 'scheduled' && (accountId === undefined || call.accountId === accountId),
    );
  }

  isIn(callId: CallId, campaignId: CampaignId | null): boolean {
    return (this.campaignOf.get(callId) ?? null) === campaignId;
  }

  due(accountId: AccountId, campaignId: CampaignId | null): readonly ScheduledCall[] {
    const nowMs = this.#nowMs();
    return this.all(accountId)
      .filter(({ id }) => this.isIn(id, campaignId))
      .filter((call) => this.takeableAtMs(call) <= nowMs && call.schedule.giveUpAtMs > nowMs)
      .toSorted((left, right) => this.dueAtOf(left) - this.dueAtOf(right));
  }

  dueIn(accountId: AccountId, campaignId: CampaignId | null) {
    const due = this.due(accountId, campaignId);
    const [first] = due;
    const queueTtlSeconds = first ? (this.#accepts.scheduleRows.get(first.id)?.queueTtlSeconds ?? 0) : 0;
    return { dueCalls: Math.min(MOST_DUE_COUNTED, due.length), queueTtlSeconds };
  }

  dueAtOf({ id, schedule, createdAtMs }: ScheduledCall): number {
    return (
      this.#postponed.get(id) ?? this.#accepts.scheduleRows.get(id)?.dueAtMs ?? schedule.scheduledForMs ?? createdAtMs
    );
  }

  takeableAtMs(call: ScheduledCall): number {
    const taking = this.#taken.get(call.id);
    return taking ? taking.untilMs + TAKEN_AGAIN_AFTER_MS : this.dueAtOf(call);
  }

  take(callId: CallId): string {
    const admitToken = randomUUID();
    this.#taken.set(callId, { admitToken, untilMs: this.#nowMs() + TURN_MS });
    return admitToken;
  }

  takenBy({ callId, admitToken }: Pick<TakenCall, 'callId' | 'admitToken'>): ScheduledCall | null {
    const call = this.#accepts.calls.get(callId);
    return call?.status === 'scheduled' && this.#taken.get(callId)?.admitToken === admitToken ? call : null;
  }

  /** The turn that took the call may still decide about it. */
  isInTime(callId: CallId): boolean {
    return (this.#taken.get(callId)?.untilMs ?? 0) > this.#nowMs();
  }

  letGo(callId: CallId): void {
    this.#taken.delete(callId);
  }

  postpone(callId: CallId, dueAtMs: number): void {
    this.#taken.delete(callId);
    this.#postponed.set(callId, dueAtMs);
  }

  /** How many calls are taken and neither admitted nor put back. */
  admitting(accountId: AccountId, isCounted: (callId: CallId) => boolean = () => true): number {
    const nowMs = this.#nowMs();
    const taken = this.all(accountId).filter(({ id }) => this.#taken.has(id) && isCounted(id));
    return taken.filter((call) => this.takeableAtMs(call) > nowMs).length;
  }

  /** What is open of the account, or of one of its campaigns. */
  open(isCounted: (call: { readonly id: CallId; readonly accountId: AccountId }) => boolean) {
    const own = [...this.#accepts.calls.values()].filter(isCounted);
    return own.filter(({ status }) => IS_OPEN.has(status));
  }

  end({ waitingFor: _waits, ...facts }: ScheduledCall, endedReason: EndedReason): void {
    const nowMs = this.#nowMs();
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
