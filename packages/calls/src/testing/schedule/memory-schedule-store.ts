import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@outdial/kernel';
import {
  micros,
  type AccountId,
  type CallId,
  type CampaignId,
  type EndedReason,
  type WaitingFor,
} from '@outdial/contracts';
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
import { scheduleRow } from '../accept/accept-row.ts';
import type { MemoryAcceptStore } from '../accept/memory-accept-store.ts';
import { laneOf, memoryCampaign, tokensAt, type MemoryCampaign } from './memory-campaign.ts';

interface MemoryScheduleStoreOptions {
  /** Has the calls, and the gate's token. */
  readonly accepts: MemoryAcceptStore;
  /** How many calls an account may have at once. */
  readonly capacityOf: (accountId: AccountId) => number;
  /** Of it, the percentage that campaigns may use. */
  readonly campaignPercent?: number;
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
const IS_OPEN = new Set(['queued', 'dialing', 'ringing', 'in_progress']);
const DAY_MS = 86_400_000;
/** A turn never waits longer. */
const MENDED_AFTER_MS = 30_000;

/** Scheduled calls and the turns of their accounts, with the rules of the statements. */
export class MemoryScheduleStore implements ScheduleStore {
  readonly turns = new Map<AccountId, DialTurn>();
  readonly campaigns = new Map<CampaignId, MemoryCampaign>();
  readonly #campaignOf = new Map<CallId, CampaignId>();
  readonly #campaignPercent: number;
  readonly #taken = new Map<CallId, Taking>();
  /** When calls that a policy made wait are due. */
  readonly #postponed = new Map<CallId, number>();
  readonly #accepts: MemoryAcceptStore;
  readonly #capacityOf: (accountId: AccountId) => number;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor({ accepts, capacityOf, campaignPercent = 80, clock = systemClock }: MemoryScheduleStoreOptions) {
    this.#accepts = accepts;
    this.#capacityOf = capacityOf;
    this.#clock = clock;
    this.#campaignPercent = campaignPercent;
    accepts.onScheduled = (call) => this.#dueBy(call.accountId, this.#dueAtOf(call));
  }

  /** A running campaign, whose account is due. */
  addCampaign(given: Parameters<typeof memoryCampaign>[0]): MemoryCampaign {
    const campaign = memoryCampaign(given);
    this.campaigns.set(campaign.id, campaign);
    this.#dueBy(campaign.accountId, this.#clock.nowMs());
    return campaign;
  }

  callsOf(campaignId: CampaignId): readonly CallId[] {
    return [...this.#campaignOf].flatMap(([callId, id]) => (id === campaignId ? [callId] : []));
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
        const lanes = this.#running(accountId).map((campaign) => this.#laneOf(campaign));
        const used = lanes.reduce((sum, { openCalls, admittingCalls }) => sum + openCalls + admittingCalls, 0);
        const share = Math.max(1, Math.floor((this.#capacityOf(accountId) * this.#campaignPercent) / 100));
        const single = { accountId, epoch: turn.epoch, freeSlots: this.#freeSlots(accountId) };
        const campaignSlots = share - used;
        return { ...single, ...this.#dueIn(accountId, null), campaignSlots, campaigns: lanes };
      });
  }

  async takeDue({
    accountId,
    epoch,
    limit,
    campaignId,
  }: Parameters<ScheduleStore['takeDue']>[0]): Promise<readonly TakenCall[]> {
    const campaign = campaignId === undefined ? null : this.campaigns.get(campaignId);
    if (!this.#holds(accountId, epoch) || campaign?.isRunning === false) return [];
    const nowMs = this.#clock.nowMs();
    const tokens = campaign ? tokensAt(campaign, nowMs) : null;
    const due = this.#dueCalls(accountId, campaignId ?? null).slice(0, Math.min(limit, Math.floor(tokens ?? limit)));
    if (campaign && tokens !== null) Object.assign(campaign, { tokens: tokens - due.length, tokensAtMs: nowMs });
    return due.map((call) => {
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

  async stock({ accountId, epoch, campaignId, limit }: Parameters<ScheduleStore['stock']>[0]): Promise<number> {
    const campaign = this.campaigns.get(campaignId);
    if (!this.#holds(accountId, epoch) || !campaign?.isRunning) return 0;
    const nowMs = this.#clock.nowMs();
    const turn = this.turns.get(accountId);
    // The turn that stocks knows of it: unlike a request, it makes the account no earlier due.
    const before = { ...turn };
    const numbers = campaign.contacts.splice(0, limit);
    for (const calleeNumber of numbers) {
      const schedule = { scheduledForMs: nowMs, giveUpAtMs: nowMs + 90 * DAY_MS, retry: null };
      const { agentVersion } = campaign;
      const row = scheduleRow({ accountId }, { calleeNumber, agentVersion, schedule, dueAtMs: nowMs });
      this.#campaignOf.set(row.callId, campaignId);
      await this.#accepts.schedule(row);
    }
    if (turn) Object.assign(turn, before);
    return numbers.length;
  }

  async admit(row: AdmitRow): Promise<AdmitOutcome> {
    if (!this.#accepts.isCurrent(row.token)) return { kind: 'gate_stale' };
    if (this.#accepts.reservations.has(row.reservationId)) return { kind: 'voided' };
    const call = this.#takenBy(row);
    const nowMs = this.#clock.nowMs();
    const isLate = (this.#taken.get(row.callId)?.untilMs ?? 0) <= nowMs;
    if (!call || isLate || call.schedule.giveUpAtMs <= nowMs) return { kind: 'gone' };
    if (this.#campaignWith(row.callId)?.isRunning === false) return { kind: 'gone' };
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
    campaignNotes = [],
  }: Parameters<ScheduleStore['endTurn']>[0]): Promise<void> {
    const turn = this.turns.get(accountId);
    if (!turn || !this.#holds(accountId, epoch)) return;
    const nowMs = this.#clock.nowMs();
    const headMs = (campaignId: CampaignId | null) => {
      const waiting = this.#waiting(accountId).filter(({ id }) => this.#isIn(id, campaignId));
      const lasting = waiting.filter(({ schedule }) => schedule.giveUpAtMs > nowMs);
      const hasContacts = campaignId !== null && (this.campaigns.get(campaignId)?.contacts.length ?? 0) > 0;
      return Math.min(hasContacts ? nowMs : NEVER, ...lasting.map((call) => this.#takeableAtMs(call)));
    };
    for (const { campaignId, deficit, heldBy } of campaignNotes) {
      const campaign = this.campaigns.get(campaignId);
      if (campaign) Object.assign(campaign, { deficit, heldBy });
    }
    const lanesMs = [
      Math.max(headMs(null), nowMs + notBeforeMs),
      ...campaignNotes.map((note) => Math.max(headMs(note.campaignId), nowMs + note.notBeforeMs)),
    ];
    turn.dueAtMs = Math.min(...lanesMs, turn.newDueMs);
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
      return dueAtMs > nowMs + MENDED_AFTER_MS && this.#dueCalls(accountId, null).length > 0;
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

  #running(accountId: AccountId): readonly MemoryCampaign[] {
    return [...this.campaigns.values()].filter((each) => each.accountId === accountId && each.isRunning);
  }

  #campaignWith(callId: CallId): MemoryCampaign | undefined {
    const id = this.#campaignOf.get(callId);
    return id === undefined ? undefined : this.campaigns.get(id);
  }

  #isIn(callId: CallId, campaignId: CampaignId | null): boolean {
    return (this.#campaignOf.get(callId) ?? null) === campaignId;
  }

  #laneOf(campaign: MemoryCampaign) {
    const { id, accountId } = campaign;
    const nowMs = this.#clock.nowMs();
    const own = [...this.#accepts.calls.values()].filter((call) => this.#isIn(call.id, id));
    const open = own.filter(({ status }) => IS_OPEN.has(status));
    const queuedCalls = own.filter(({ status }) => status === 'queued').length;
    const heldMicros = open.reduce((sum, { holdMicros }) => sum + holdMicros, 0n);
    const taken = this.#waiting(accountId).filter((call) => this.#isIn(call.id, id) && this.#taken.has(call.id));
    const admittingCalls = taken.filter((call) => this.#takeableAtMs(call) > nowMs).length;
    const counts = { ...this.#dueIn(accountId, id), openCalls: open.length, queuedCalls, admittingCalls, heldMicros };
    return laneOf(campaign, counts, nowMs);
  }

  #dueIn(accountId: AccountId, campaignId: CampaignId | null) {
    const due = this.#dueCalls(accountId, campaignId);
    const [first] = due;
    const queueTtlSeconds = first ? (this.#accepts.scheduleRows.get(first.id)?.queueTtlSeconds ?? 0) : 0;
    return { dueCalls: Math.min(MOST_DUE_COUNTED, due.length), queueTtlSeconds };
  }

  #dueCalls(accountId: AccountId, campaignId: CampaignId | null): readonly ScheduledCall[] {
    const nowMs = this.#clock.nowMs();
    return this.#waiting(accountId)
      .filter(({ id }) => this.#isIn(id, campaignId))
      .filter((call) => this.#takeableAtMs(call) <= nowMs && call.schedule.giveUpAtMs > nowMs)
      .toSorted((left, right) => this.#dueAtOf(left) - this.#dueAtOf(right));
  }

  #takeableAtMs(call: ScheduledCall): number {
    const taking = this.#taken.get(call.id);
    return taking ? taking.untilMs + TAKEN_AGAIN_AFTER_MS : this.#dueAtOf(call);
  }

  #freeSlots(accountId: AccountId): number {
    const nowMs = this.#clock.nowMs();
    const own = [...this.#accepts.calls.values()].filter((call) => call.accountId === accountId);
    const open = own.filter(({ status }) => IS_OPEN.has(status)).length;
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
