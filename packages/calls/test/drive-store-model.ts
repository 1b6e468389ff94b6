import { micros, type Driver, type LiveTurn, type Micros, type UsageEntry } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import type { Epoch } from '../src/call.ts';
import type {
  ClaimedCall,
  ClaimOutcome,
  ConversationNote,
  OptOut,
  DriveStore,
  FencedOutcome,
  FencingToken,
  OrphanedCall,
  ReclaimOutcome,
  Settlement,
} from '../src/ports/drive-store.ts';
import type { ReleaseInput } from '../src/ports/gate.ts';
import type { UsageReport } from '../src/usage-cost.ts';
import { TIMELINE } from '../src/testing/gate/gate-fixture.ts';

export type StoreVerb =
  | 'claim'
  | 'reclaim'
  | 'dialog'
  | 'advance'
  | 'answered_by'
  | 'event'
  | 'opt_out'
  | 'renew'
  | 'enlarge'
  | 'settle'
  | 'hand_over';

/** One call's row, with the rules of Postgres, and outages on demand. */
export class DriveStoreModel implements DriveStore {
  /** Rejects every question. */
  away = false;
  /** Runs before each operation: a test can let another process act here. */
  before: (verb: StoreVerb) => void = () => undefined;
  readonly asked: StoreVerb[] = [];
  readonly settlements: Settlement[] = [];
  readonly advances: string[] = [];
  /** Its second legs, as a take-over finds them. */
  orphanedLegs: OrphanedCall['legs'] = [];
  status: 'queued' | 'dialing' | 'ended' = 'queued';
  endRequested = false;
  epoch: Epoch = 0;
  holdMicros: Micros;
  leaseExpiresAtMs = 0;
  leaseRenewedAtMs = 0;
  generation = 1;
  dialog: OrphanedCall['dialog'] = null;
  carrier: string | null = null;
  writeAheadDial = false;
  answeredAtMs: number | null = null;
  answeredBy: OrphanedCall['answeredBy'] = null;
  readonly answeredByAtMs: number[] = [];
  readonly notes: ConversationNote[] = [];
  optOutStored: OptOut | undefined;
  /** The account's wallet. A charge raises the version. */
  balanceMicros = micros(1_000_000_000);
  balanceVersion = 1;
  /** Null for a scripted call. */
  driver: Driver | null = null;
  lines: readonly string[] | null = null;
  queueExpired = false;
  suppressed = false;
  /** The calling policy closes the hours of the callee. */
  hoursClosed = false;
  /** Other calls to the number have reached a cap. */
  capped = false;
  paused = false;
  /** Its campaign is paused, and goes on later. */
  campaignPaused = false;
  settleError: Error | undefined;
  /** As the renewals and the settlement stored it. */
  usage: readonly UsageEntry[] = [];
  /** As the renewals stored them, until the call ends. */
  turns: readonly LiveTurn[] = [];
  readonly #facts: Omit<ClaimedCall, 'epoch' | 'startedAtMs' | 'holdMicros'>;
  #startedAtMs = 0;
  #isTakenOver = false;
  /** Postgres's clock: independent of a worker's wall clock. */
  readonly #bornAt = { wallMs: systemClock.nowMs(), monotonicMs: systemClock.monotonicMs() };

  constructor(facts: Omit<ClaimedCall, 'epoch' | 'startedAtMs' | 'holdMicros'>, holdMicros: Micros) {
    this.#facts = facts;
    this.holdMicros = holdMicros;
  }

  /** Another process takes the call over. */
  takeAway(): void {
    this.epoch += 1;
  }

  async claim(input: Parameters<DriveStore['claim']>[0]): Promise<ClaimOutcome> {
    await this.#arrive('claim');
    if (input.callId !== this.#facts.id) return { kind: 'unknown' };
    if (this.status === 'ended') return { kind: 'ended' };
    if (this.status === 'dialing') {
      const forMs = this.leaseExpiresAtMs - this.#nowMs();
      return forMs > 0 ? { kind: 'leased', forMs } : { kind: 'lease_over' };
    }
    if (this.endRequested) return { kind: 'refused', reason: 'cancelled' };
    if (this.campaignPaused) return { kind: 'refused', reason: 'cancelled', givesBack: true };
    if (this.queueExpired) return { kind: 'refused', reason: 'queue_expired' };
    if (this.suppressed) return { kind: 'refused', reason: 'suppressed' };
    if (this.hoursClosed) return { kind: 'refused', reason: 'outside_calling_window' };
    if (this.paused) return { kind: 'paused' };
    if (this.driver !== null) {
      const { drivers = ['scripted'], lines } = input;
      if (!drivers.includes(this.driver)) return { kind: 'driver_unknown' };
      if (!lines) return { kind: 'lines_needed' };
      const { generation, walTimeline } = lines.token;
      if (generation !== this.generation || walTimeline !== TIMELINE) return { kind: 'gate_stale' };
    }
    if (this.capped) return { kind: 'refused', reason: 'frequency_capped' };
    if (this.driver !== null) this.lines = input.lines?.names ?? null;
    this.status = 'dialing';
    this.epoch += 1;
    this.writeAheadDial = input.writeAheadDial;
    this.#startedAtMs = Math.max(this.#nowMs(), this.#facts.createdAtMs + 1);
    this.#extend(input.leaseMs);
    const { epoch, holdMicros } = this;
    return { kind: 'claimed', call: { ...this.#facts, epoch, holdMicros, startedAtMs: this.#startedAtMs } };
  }

  async reclaim(input: Parameters<DriveStore['reclaim']>[0]): Promise<ReclaimOutcome> {
    await this.#arrive('reclaim');
    if (!this.#owns(input) || this.#isHandedOver() || this.answeredAtMs !== null) return { kind: 'fenced' };
    if (this.endRequested) return { kind: 'refused', reason: 'cancelled' };
    if (this.campaignPaused) return { kind: 'refused', reason: 'cancelled', givesBack: true };
    if (this.queueExpired) return { kind: 'refused', reason: 'queue_expired' };
    if (this.suppressed) return { kind: 'refused', reason: 'suppressed' };
    if (this.hoursClosed) return { kind: 'refused', reason: 'outside_calling_window' };
    if (this.paused) return { kind: 'paused' };
    if (this.capped) return { kind: 'refused', reason: 'frequency_capped' };
    this.#startedAtMs = this.#nowMs();
    this.#extend(input.leaseMs);
    return { kind: 'claimed' };
  }

  async saveDialog(input: Parameters<DriveStore['saveDialog']>[0]): Promise<FencedOutcome> {
    return this.#write('dialog', input, () => {
      this.dialog = input.dialog;
      this.carrier = input.carrier;
    });
  }

  async advance(input: Parameters<DriveStore['advance']>[0]): Promise<FencedOutcome> {
    return this.#write('advance', input, () => {
      this.advances.push(input.to);
      if (input.to === 'in_progress') this.answeredAtMs ??= Math.max(input.atMs, this.#startedAtMs);
    });
  }

  async saveAnsweredBy(input: Parameters<DriveStore['saveAnsweredBy']>[0]): Promise<FencedOutcome> {
    return this.#write('answered_by', input, () => {
      this.answeredBy = input.answeredBy;
      this.answeredByAtMs.push(input.atMs);
    });
  }

  async saveEvent(input: Parameters<DriveStore['saveEvent']>[0]): Promise<FencedOutcome> {
    return this.#write('event', input, () => void this.notes.push({ type: input.type, data: input.data }));
  }

  async optOut(input: Parameters<DriveStore['optOut']>[0]): Promise<FencedOutcome> {
    await this.#arrive('opt_out');
    // What the callee wants holds, also when another worker drives the call.
    const wasOwner = input.callId === this.#facts.id && input.epoch <= this.epoch;
    if (wasOwner) this.#optsOut({ evidence: input.evidence, note: input.note });
    return this.#owns(input) ? { kind: 'written', endRequested: this.endRequested } : { kind: 'fenced' };
  }

  async renewLease(input: Parameters<DriveStore['renewLease']>[0]): Promise<FencedOutcome> {
    await this.#arrive('renew');
    // A worker that handed a call over has lost it, even before another worker takes it.
    if (!this.#owns(input) || this.#isHandedOver()) return { kind: 'fenced' };
    this.#extend(input.leaseMs);
    this.#keep(input.usage);
    const known = new Set(this.turns.map(({ index }) => index));
    this.turns = [...this.turns, ...(input.turns ?? []).filter(({ index }) => !known.has(index))];
    return { kind: 'written', endRequested: this.endRequested };
  }

  async handOver(input: FencingToken): Promise<FencedOutcome> {
    return this.#write('hand_over', input, () => this.#extend(0));
  }

  async enlargeHold(input: Parameters<DriveStore['enlargeHold']>[0]) {
    await this.#arrive('enlarge');
    const { generation, walTimeline } = input.token;
    if (generation !== this.generation || walTimeline !== TIMELINE) return { kind: 'gate_stale' as const };
    if (!this.#owns(input)) return { kind: 'fenced' as const };
    if (input.holdMicros > this.holdMicros) this.holdMicros = input.holdMicros;
    return { kind: 'enlarged' as const };
  }

  async settle(settlement: Settlement) {
    await this.#arrive('settle');
    if (this.settleError) throw this.settleError;
    const isOurs = settlement.callId === this.#facts.id && settlement.epoch === this.epoch;
    if (!isOurs || this.status === 'queued') return { kind: 'fenced' as const };
    if (this.status !== 'ended') this.#end(settlement);
    return { kind: 'settled' as const, release: this.#release() };
  }

  async endQueued({
    callIds,
    reason,
    givesBack,
  }: Parameters<DriveStore['endQueued']>[0]): Promise<readonly ReleaseInput[]> {
    if (this.away) throw new Error('Postgres is away');
    const callId = this.#facts.id;
    if (this.status !== 'queued' || !callIds.includes(callId)) return [];
    const nothing = { sipCode: null, answeredBy: null, transcript: null, summary: null, recordingKey: null };
    const free = { billableSeconds: 0, costMicros: micros(0) };
    const endedAtMs = this.#nowMs();
    const settlement = { callId, epoch: this.epoch, reason, neverDialled: true, answeredAtMs: null, endedAtMs };
    this.#end({ ...settlement, charge: free, ...nothing, ...(givesBack && { givesBack }) });
    return [this.#release()];
  }

  async takeOver({
    leaseMs,
    limit,
    callId = this.#facts.id,
  }: Parameters<DriveStore['takeOver']>[0]): Promise<readonly OrphanedCall[]> {
    if (this.away) throw new Error('Postgres is away');
    if (callId !== this.#facts.id || limit < 1) return [];
    if (this.status !== 'dialing' || this.leaseExpiresAtMs > this.#nowMs()) return [];
    this.epoch += 1;
    this.#isTakenOver = true;
    this.#extend(leaseMs);
    const { epoch, holdMicros, carrier, dialog, writeAheadDial, answeredAtMs, answeredBy, leaseRenewedAtMs } = this;
    const startedAtMs = this.#startedAtMs;
    const takenOverAtMs = this.#nowMs();
    const times = { startedAtMs, answeredAtMs, leaseRenewedAtMs, takenOverAtMs };
    const { usage, turns } = this;
    const dialed = { carrier, dialog, writeAheadDial, answeredBy };
    return [{ ...this.#facts, epoch, holdMicros, ...dialed, ...times, usage, turns, legs: this.orphanedLegs }];
  }

  #optsOut(optOut: OptOut | undefined): void {
    this.optOutStored ??= optOut;
  }

  #end(settlement: Settlement): void {
    this.settlements.push(settlement);
    this.#optsOut(settlement.optOut);
    this.#keep(settlement.usage);
    this.status = 'ended';
    this.turns = [];
    const { costMicros } = settlement.charge;
    const chargedMicros = costMicros < this.holdMicros ? costMicros : this.holdMicros;
    if (chargedMicros === 0n) return;
    this.balanceMicros = micros(this.balanceMicros - chargedMicros);
    this.balanceVersion += 1;
  }

  /** Usage only grows: an earlier report that comes late changes nothing. */
  #keep(report: UsageReport | undefined): void {
    if (report && sumOf(report.entries) >= sumOf(this.usage)) this.usage = report.entries;
  }

  #release(): ReleaseInput {
    const { id: callId, accountId, reservationId } = this.#facts;
    const { balanceMicros, balanceVersion } = this;
    return { callId, accountId, reservationId, balance: { balanceMicros, balanceVersion } };
  }

  #nowMs(): number {
    return this.#bornAt.wallMs + Math.floor(systemClock.monotonicMs() - this.#bornAt.monotonicMs);
  }

  /** Only the driver moves the last moment at which it was known to be alive. */
  #extend(leaseMs: number): void {
    const nowMs = this.#nowMs();
    if (!this.#isTakenOver) this.leaseRenewedAtMs = nowMs;
    this.leaseExpiresAtMs = nowMs + leaseMs;
  }

  #isHandedOver(): boolean {
    return this.leaseExpiresAtMs <= this.leaseRenewedAtMs;
  }

  #owns(input: FencingToken): boolean {
    return this.status === 'dialing' && input.callId === this.#facts.id && input.epoch === this.epoch;
  }

  async #write(verb: StoreVerb, input: FencingToken, change: () => void): Promise<FencedOutcome> {
    await this.#arrive(verb);
    if (!this.#owns(input)) return { kind: 'fenced' };
    change();
    return { kind: 'written', endRequested: this.endRequested };
  }

  async #arrive(verb: StoreVerb): Promise<void> {
    this.asked.push(verb);
    this.before(verb);
    await Promise.resolve();
    if (this.away) throw new Error('Postgres is away');
  }
}

function sumOf(entries: readonly UsageEntry[]): number {
  return entries.reduce((sum, { quantity }) => sum + quantity, 0);
}
