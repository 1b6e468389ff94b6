import { systemClock, type Clock } from '@outdial/kernel';
import type { AccountId, CallId, CampaignId, WaitingFor } from '@outdial/contracts';
import type { QueuedCall } from '../../call.ts';
import type {
  AdmitOutcome,
  AdmitRow,
  NotPermitted,
  ScheduleStore,
  TakenCall,
  Turn,
} from '../../ports/schedule-store.ts';
import { scheduleRow } from '../accept/accept-row.ts';
import type { MemoryAcceptStore } from '../accept/memory-accept-store.ts';
import { MemoryDialTurns, type DialTurn } from './memory-dial-turns.ts';
import { MemoryWaitingCalls } from './memory-waiting-calls.ts';
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

const NEVER = Number.POSITIVE_INFINITY;
const DAY_MS = 86_400_000;
/** A turn never waits longer. */
const MENDED_AFTER_MS = 30_000;

/** Scheduled calls and the turns of their accounts, with the rules of the statements. */
export class MemoryScheduleStore implements ScheduleStore {
  readonly campaigns = new Map<CampaignId, MemoryCampaign>();
  readonly #campaignPercent: number;
  readonly #turns: MemoryDialTurns;
  readonly #waiting: MemoryWaitingCalls;
  readonly #accepts: MemoryAcceptStore;
  readonly #capacityOf: (accountId: AccountId) => number;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor({ accepts, capacityOf, campaignPercent = 80, clock = systemClock }: MemoryScheduleStoreOptions) {
    this.#accepts = accepts;
    this.#capacityOf = capacityOf;
    this.#clock = clock;
    this.#campaignPercent = campaignPercent;
    this.#turns = new MemoryDialTurns(() => clock.nowMs());
    this.#waiting = new MemoryWaitingCalls(accepts, () => clock.nowMs());
    accepts.onScheduled = (call) => this.#turns.dueBy(call.accountId, this.#waiting.dueAtOf(call));
  }

  get turns(): ReadonlyMap<AccountId, DialTurn> {
    return this.#turns.rows;
  }

  /** A running campaign, whose account is due. */
  addCampaign(given: Parameters<typeof memoryCampaign>[0]): MemoryCampaign {
    const campaign = memoryCampaign(given);
    this.campaigns.set(campaign.id, campaign);
    this.#turns.dueBy(campaign.accountId, this.#clock.nowMs());
    return campaign;
  }

  callsOf(campaignId: CampaignId): readonly CallId[] {
    return [...this.#waiting.campaignOf].flatMap(([callId, id]) => (id === campaignId ? [callId] : []));
  }

  async beginTurns({ limit }: { readonly limit: number }): Promise<readonly Turn[]> {
    return this.#turns.begin(limit).map(([accountId, epoch]) => {
      const lanes = this.#running(accountId).map((campaign) => this.#laneOf(campaign));
      const used = lanes.reduce((sum, { openCalls, admittingCalls }) => sum + openCalls + admittingCalls, 0);
      const share = Math.max(1, Math.floor((this.#capacityOf(accountId) * this.#campaignPercent) / 100));
      const single = { accountId, epoch, freeSlots: this.#freeSlots(accountId) };
      const campaignSlots = share - used;
      return { ...single, ...this.#waiting.dueIn(accountId, null), campaignSlots, campaigns: lanes };
    });
  }

  async takeDue({
    accountId,
    epoch,
    limit,
    campaignId,
  }: Parameters<ScheduleStore['takeDue']>[0]): Promise<readonly TakenCall[]> {
    const campaign = campaignId === undefined ? null : this.campaigns.get(campaignId);
    if (this.#turns.held(accountId, epoch) === null || campaign?.isRunning === false) return [];
    const nowMs = this.#clock.nowMs();
    const tokens = campaign ? tokensAt(campaign, nowMs) : null;
    const due = this.#waiting.due(accountId, campaignId ?? null).slice(0, Math.min(limit, Math.floor(tokens ?? limit)));
    if (campaign && tokens !== null) Object.assign(campaign, { tokens: tokens - due.length, tokensAtMs: nowMs });
    return due.map((call) => {
      const admitToken = this.#waiting.take(call.id);
      const { id: callId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables } = call;
      const row = this.#accepts.scheduleRows.get(callId);
      const requestId = row?.requestId ?? '';
      const { giveUpAtMs } = call.schedule;
      const calleeTimeZone = row?.place.givenZone ?? null;
      const facts = { callId, accountId, agentId, agentVersion, callerNumber, calleeNumber, limits, variables };
      return {
        ...facts,
        requestId,
        admitToken,
        scheduledForMs: this.#waiting.dueAtOf(call),
        giveUpAtMs,
        calleeTimeZone,
      };
    });
  }

  async stock({ accountId, epoch, campaignId, limit }: Parameters<ScheduleStore['stock']>[0]): Promise<number> {
    const campaign = this.campaigns.get(campaignId);
    const turn = this.#turns.held(accountId, epoch);
    if (turn === null || !campaign?.isRunning) return 0;
    const nowMs = this.#clock.nowMs();
    // The turn that stocks knows of it: unlike a request, it makes the account no earlier due.
    const before = { ...turn };
    const numbers = campaign.contacts.splice(0, limit);
    for (const calleeNumber of numbers) {
      const schedule = { scheduledForMs: nowMs, giveUpAtMs: nowMs + 90 * DAY_MS, retry: null };
      const { agentVersion } = campaign;
      const row = scheduleRow({ accountId }, { calleeNumber, agentVersion, schedule, dueAtMs: nowMs });
      this.#waiting.campaignOf.set(row.callId, campaignId);
      await this.#accepts.schedule(row);
    }
    Object.assign(turn, before);
    return numbers.length;
  }

  async admit(row: AdmitRow): Promise<AdmitOutcome> {
    if (!this.#accepts.isCurrent(row.token)) return { kind: 'gate_stale' };
    if (this.#accepts.reservations.has(row.reservationId)) return { kind: 'voided' };
    const call = this.#waiting.takenBy(row);
    const nowMs = this.#clock.nowMs();
    if (!call || !this.#waiting.isInTime(row.callId) || call.schedule.giveUpAtMs <= nowMs) return { kind: 'gone' };
    const campaignId = this.#waiting.campaignOf.get(row.callId);
    const campaign = campaignId === undefined ? undefined : this.campaigns.get(campaignId);
    if (campaign?.isRunning === false) return { kind: 'gone' };
    if (this.#accepts.isSuppressed(call)) return { kind: 'suppressed' };
    if (this.#accepts.cappedUntil(call.calleeNumber) !== null) return { kind: 'frequency_capped' };
    const { waitingFor: _waits, ...facts } = call;
    const { holdMicros, rate, conducted } = row;
    const ttlMs = (this.#accepts.scheduleRows.get(row.callId)?.queueTtlSeconds ?? 0) * 1_000;
    const expiresAtMs = Math.min(nowMs + ttlMs, call.schedule.giveUpAtMs);
    const queued: QueuedCall = { ...facts, status: 'queued', holdMicros, rate, conducted, expiresAtMs };
    this.#accepts.calls.set(row.callId, queued);
    this.#accepts.reservations.set(row.reservationId, 'used');
    this.#waiting.letGo(row.callId);
    return { kind: 'admitted', lateMs: nowMs - this.#waiting.dueAtOf(call) };
  }

  async putBack({
    calls,
    waitingFor,
  }: {
    readonly calls: readonly Pick<TakenCall, 'callId' | 'admitToken'>[];
    readonly waitingFor: Extract<WaitingFor, 'capacity' | 'funds'> | null;
  }): Promise<void> {
    for (const taken of calls) {
      const call = this.#waiting.takenBy(taken);
      if (!call) continue;
      this.#waiting.letGo(taken.callId);
      this.#accepts.calls.set(taken.callId, { ...call, waitingFor });
    }
  }

  async postpone({ waitingFor, dueAtMs, ...taken }: Parameters<ScheduleStore['postpone']>[0]): Promise<void> {
    const call = this.#waiting.takenBy(taken);
    if (!call) return;
    this.#waiting.postpone(taken.callId, dueAtMs);
    this.#accepts.calls.set(taken.callId, { ...call, waitingFor });
  }

  async refuse({ reason, ...taken }: NotPermitted): Promise<boolean> {
    const call = this.#waiting.takenBy(taken);
    if (call) this.#waiting.end(call, reason);
    return call !== null;
  }

  async endTurn({
    accountId,
    epoch,
    notBeforeMs,
    campaignNotes = [],
  }: Parameters<ScheduleStore['endTurn']>[0]): Promise<void> {
    const turn = this.#turns.held(accountId, epoch);
    if (turn === null) return;
    const nowMs = this.#clock.nowMs();
    const headMs = (campaignId: CampaignId | null) => {
      const waiting = this.#waiting.all(accountId).filter(({ id }) => this.#waiting.isIn(id, campaignId));
      const lasting = waiting.filter(({ schedule }) => schedule.giveUpAtMs > nowMs);
      const hasContacts = campaignId !== null && (this.campaigns.get(campaignId)?.contacts.length ?? 0) > 0;
      return Math.min(hasContacts ? nowMs : NEVER, ...lasting.map((call) => this.#waiting.takeableAtMs(call)));
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
    const over = this.#waiting.all().filter(({ schedule }) => schedule.giveUpAtMs <= nowMs);
    for (const call of over.slice(0, limit)) this.#waiting.end(call, 'schedule_expired');
    return Math.min(over.length, limit);
  }

  async mendTurns(): Promise<number> {
    const nowMs = this.#clock.nowMs();
    const accountIds = new Set(this.#waiting.all().map(({ accountId }) => accountId));
    const missed = [...accountIds].filter((accountId) => {
      const isLate = this.#turns.isDueAfter(accountId, nowMs + MENDED_AFTER_MS);
      return isLate && this.#waiting.due(accountId, null).length > 0;
    });
    for (const accountId of missed) this.#turns.dueBy(accountId, nowMs);
    return missed.length;
  }

  #running(accountId: AccountId): readonly MemoryCampaign[] {
    return [...this.campaigns.values()].filter((each) => each.accountId === accountId && each.isRunning);
  }

  #laneOf(campaign: MemoryCampaign) {
    const { id, accountId } = campaign;
    const open = this.#waiting.open((call) => this.#waiting.isIn(call.id, id));
    const queuedCalls = open.filter(({ status }) => status === 'queued').length;
    const heldMicros = open.reduce((sum, { holdMicros }) => sum + holdMicros, 0n);
    const admittingCalls = this.#waiting.admitting(accountId, (callId) => this.#waiting.isIn(callId, id));
    const due = this.#waiting.dueIn(accountId, id);
    const counts = { ...due, openCalls: open.length, queuedCalls, admittingCalls, heldMicros };
    return laneOf(campaign, counts, this.#clock.nowMs());
  }

  #freeSlots(accountId: AccountId): number {
    const open = this.#waiting.open((call) => call.accountId === accountId).length;
    return this.#capacityOf(accountId) - open - this.#waiting.admitting(accountId);
  }
}
