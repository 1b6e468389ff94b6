import type { AccountId, BreakerName, CallId, LineName, ReservationId, TrunkName } from '@outdial/contracts';
import type { LineLimits } from '../../line.ts';
import type { GateToken } from '../../ports/gate.ts';
import type { AcquireLinesOutcome, LineGate, TakeLineOutcome, TakenLines } from '../../ports/lines.ts';
import type { TrunkLimits } from '../../ports/trunks.ts';
import { MemoryBreakers } from './memory-breakers.ts';
import { MemoryPace } from './memory-pace.ts';

interface Hold {
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
}

type Lack = 'closed' | 'full' | 'share' | 'pace';

const FULL_MS = 500;
const CLOSED_MS = 5_000;
const SLACK_MS = 2_000;

/**
 * The rules of lines without any stored count: a line belongs to a call that is held. Beside it are the holds of a gate,
 * and the channels of its trunks.
 */
export class MemoryLineGate implements LineGate {
  /** Null while the gate is closed. */
  token: GateToken | null = { generation: 1, walTimeline: '00000001' };
  areLinesRestored = true;
  areChannelsRestored = true;
  readonly holds = new Map<CallId, Hold>();
  readonly channels = new Map<CallId, TrunkName>();
  readonly lines = new Map<CallId, ReadonlySet<LineName>>();
  readonly breakers: MemoryBreakers;
  readonly #nowMs: () => number;
  readonly #trunkPace: MemoryPace;
  readonly #linePace: MemoryPace;
  readonly #waiting: { readonly line: LineName; readonly accountId: AccountId; readonly untilMs: number }[] = [];
  readonly #kept = new Map<LineName, { readonly callId: CallId; readonly untilMs: number }>();

  readonly #lowered = new Map<BreakerName, { readonly places: number; readonly untilMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.breakers = new MemoryBreakers(nowMs);
    this.#trunkPace = new MemoryPace(nowMs);
    this.#linePace = new MemoryPace(nowMs);
  }

  release(callId: CallId): void {
    this.holds.delete(callId);
    this.channels.delete(callId);
    this.lines.delete(callId);
  }

  /** What `TrunkChannels.acquire` does. */
  acquireChannel(callId: CallId, trunks: readonly TrunkLimits[]): TrunkName | null {
    const standing = this.channels.get(callId);
    if (standing !== undefined) return standing;
    const { free, soonest } = this.#freeTrunk(trunks);
    if (free) this.#takeChannel(callId, free);
    else if (soonest) this.#trunkPace.turnMs(soonest.trunk.name, soonest.forMs, soonest.trunk.callsPerSecond);
    return free?.name ?? null;
  }

  async acquire({ callId, trunks, lines }: Parameters<LineGate['acquire']>[0]): Promise<AcquireLinesOutcome> {
    const { token } = this;
    if (!token) return { kind: 'closed' };
    const hold = this.holds.get(callId);
    if (!hold) return { kind: 'not_held' };
    if (!this.areLinesRestored || (trunks.length > 0 && !this.areChannelsRestored)) return { kind: 'stale', token };
    const own = this.lines.get(callId);
    const missing = lines.filter(({ name }) => own?.has(name) !== true);
    const needsTrunk = !own && !this.channels.has(callId) && trunks.length > 0;
    const { free, soonest } = needsTrunk ? this.#freeTrunk(trunks) : { free: undefined, soonest: undefined };
    const lacks = missing.flatMap((line) => {
      const lack = this.#lackOf(callId, hold.accountId, line);
      return lack ? [{ line, ...lack }] : [];
    });
    if (lacks.length === 0 && (!needsTrunk || free)) {
      if (free) this.#takeChannel(callId, free);
      this.#add(callId, missing);
      const all = [...(this.lines.get(callId) ?? [])];
      return { kind: 'acquired', token, trunk: this.channels.get(callId) ?? null, lines: all };
    }
    if (!own) this.channels.delete(callId);
    const trunkMs =
      needsTrunk && !free && soonest
        ? this.#trunkPace.turnMs(soonest.trunk.name, soonest.forMs, soonest.trunk.callsPerSecond)
        : 0;
    const turns = lacks.map(({ line, forMs }) => this.#linePace.turnMs(line.name, forMs, line.startsPerSecond));
    const forMs = Math.max(trunkMs, ...turns);
    const untilMs = this.#nowMs() + forMs + SLACK_MS;
    for (const { line, lack } of lacks)
      if (line.isShared && lack !== 'closed')
        this.#waiting.push({ line: line.name, accountId: hold.accountId, untilMs });
    this.#keep(callId, missing, lacks, untilMs);
    const waitingFor = { trunk: needsTrunk && !free, lines: lacks.map(({ line }) => line.name) };
    return { kind: 'wait', forMs, waitingFor };
  }

  async takeLine({ callId, reservationId, line }: Parameters<LineGate['takeLine']>[0]): Promise<TakeLineOutcome> {
    const { token } = this;
    if (!token) return { kind: 'closed' };
    const hold = this.holds.get(callId);
    if (hold?.reservationId !== reservationId) return { kind: 'not_held' };
    if (!this.areLinesRestored) return { kind: 'stale', token };
    const heldBackMs = this.#heldBackMs(callId, hold.accountId, line);
    if (heldBackMs > 0) return { kind: 'line_closed', forMs: heldBackMs };
    if (this.lines.get(callId)?.has(line.name)) {
      this.#letThrough(callId, line);
      return { kind: 'taken', token };
    }
    const lacking = this.#lackOf(callId, hold.accountId, line);
    if (lacking?.lack === 'pace') return { kind: 'wait', forMs: lacking.forMs };
    if (lacking) return { kind: 'full' };
    this.#add(callId, [line]);
    return { kind: 'taken', token };
  }

  async free({ accountId, lines }: Parameters<LineGate['free']>[0]): Promise<readonly number[] | null> {
    if (!this.token || !this.areLinesRestored) return null;
    return lines.map((line) => this.#freeOf(accountId, line));
  }

  async lower({ line, model, forMs }: Parameters<LineGate['lower']>[0]): Promise<number> {
    const before = this.#loweredTo(model);
    const places = before ?? Math.max(1, Math.floor(this.used(line) / 2));
    this.#lowered.set(model, { places, untilMs: this.#nowMs() + forMs });
    return places;
  }

  async restore(token: GateToken, calls: readonly TakenLines[]): Promise<'restored' | 'superseded'> {
    if (token.generation !== this.token?.generation || token.walTimeline !== this.token.walTimeline)
      return 'superseded';
    if (this.areLinesRestored) return 'restored';
    this.lines.clear();
    for (const { callId, reservationId, lines } of calls)
      if (this.holds.get(callId)?.reservationId === reservationId) this.lines.set(callId, new Set(lines));
    this.areLinesRestored = true;
    return 'restored';
  }

  /** How many calls have the line. */
  used(name: LineName): number {
    return [...this.lines.values()].filter((own) => own.has(name)).length;
  }

  #add(callId: CallId, added: readonly LineLimits[]): void {
    this.lines.set(callId, new Set([...(this.lines.get(callId) ?? []), ...added.map(({ name }) => name)]));
    for (const line of added) {
      const { name, startsPerSecond } = line;
      this.#letThrough(callId, line);
      this.#linePace.spend(name, startsPerSecond);
      if (this.#kept.get(name)?.callId === callId) this.#kept.delete(name);
    }
  }

  #lackOf(callId: CallId, accountId: AccountId, line: LineLimits): { lack: Lack; forMs: number } | undefined {
    const { name, startsPerSecond, isShared } = line;
    const closedMs = this.#heldBackMs(callId, accountId, line);
    if (closedMs > 0) return { lack: 'closed', forMs: closedMs };
    const most = this.#mostOf(accountId, line);
    const places = most - (this.#isKeptForAnother(callId, name) ? 1 : 0);
    if (this.used(name) >= places) return { lack: 'full', forMs: FULL_MS };
    const hasHalf = this.#own(accountId, name) >= Math.ceil(most / 2);
    if (isShared && hasHalf && this.#anotherWaits(accountId, name)) return { lack: 'share', forMs: FULL_MS };
    const paceMs = this.#linePace.waitMs(name, startsPerSecond);
    return paceMs > 0 ? { lack: 'pace', forMs: paceMs } : undefined;
  }

  #freeOf(accountId: AccountId, line: LineLimits): number {
    const { name, startsPerSecond, isShared, isClosed, breakers } = line;
    if (isClosed) return 0;
    const kept = this.#kept.get(name);
    const isKept = kept !== undefined && kept.untilMs > this.#nowMs() && this.holds.has(kept.callId);
    const most = this.#mostOf(accountId, line);
    const taken = (isKept ? 1 : 0) + this.used(name);
    const hasCall = this.#own(accountId, name) > 0;
    const places = Math.min(most - taken, hasCall ? most : Math.max(1, this.#loweredPlaces(line) - taken));
    const share =
      isShared && this.#anotherWaits(accountId, name) ? Math.ceil(most / 2) - this.#own(accountId, name) : places;
    const byBreakers = breakers.map((breaker) => this.breakers.mostLetThrough(breaker, accountId));
    return Math.max(0, Math.min(places, share, startsPerSecond, ...byBreakers));
  }

  #loweredTo(model: BreakerName): number | undefined {
    const lowered = this.#lowered.get(model);
    return lowered && lowered.untilMs > this.#nowMs() ? lowered.places : undefined;
  }

  #mostOf(accountId: AccountId, line: LineLimits): number {
    return this.#own(accountId, line.name) === 0 ? line.maxCalls : this.#loweredPlaces(line);
  }

  #loweredPlaces({ maxCalls, breakers }: LineLimits): number {
    return Math.min(maxCalls, ...breakers.map((model) => this.#loweredTo(model) ?? maxCalls));
  }

  #own(accountId: AccountId, name: LineName): number {
    return [...this.lines].filter(([id, had]) => had.has(name) && this.holds.get(id)?.accountId === accountId).length;
  }

  #anotherWaits(accountId: AccountId, name: LineName): boolean {
    const nowMs = this.#nowMs();
    return this.#waiting.some((one) => one.line === name && one.accountId !== accountId && one.untilMs > nowMs);
  }

  #heldBackMs(callId: CallId, accountId: AccountId, { isClosed, breakers }: LineLimits): number {
    return Math.max(
      isClosed ? CLOSED_MS : 0,
      ...breakers.map((name) => this.breakers.heldBackMs(name, callId, accountId)),
    );
  }

  #letThrough(callId: CallId, { breakers }: LineLimits): void {
    const accountId = this.holds.get(callId)?.accountId;
    if (accountId) for (const name of breakers) this.breakers.letThrough(name, callId, accountId);
  }

  #isKeptForAnother(callId: CallId, name: LineName): boolean {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.callId !== callId && kept.untilMs > this.#nowMs() && this.holds.has(kept.callId);
  }

  /** A call that lacks one of several lines keeps the next place at each, if it waits for places alone. */
  #keep(callId: CallId, missing: readonly LineLimits[], lacks: readonly { lack: Lack }[], untilMs: number): void {
    if (missing.length < 2 || lacks.length === 0) return;
    if (lacks.some(({ lack }) => lack === 'closed' || lack === 'share')) return;
    if (missing.some(({ name }) => this.#isKeptForAnother(callId, name))) return;
    for (const { name } of missing) this.#kept.set(name, { callId, untilMs });
  }

  #freeTrunk(trunks: readonly TrunkLimits[]) {
    const states = trunks.map((trunk) => {
      const used = [...this.channels.values()].filter((name) => name === trunk.name).length;
      const forMs = used < trunk.channels ? this.#trunkPace.waitMs(trunk.name, trunk.callsPerSecond) : FULL_MS;
      return { trunk, forMs };
    });
    const soonestMs = Math.min(...states.map(({ forMs }) => forMs));
    return {
      free: states.find(({ forMs }) => forMs === 0)?.trunk,
      soonest: states.find(({ forMs }) => forMs === soonestMs),
    };
  }

  #takeChannel(callId: CallId, { name, callsPerSecond }: TrunkLimits): void {
    this.channels.set(callId, name);
    this.#trunkPace.spend(name, callsPerSecond);
  }
}
