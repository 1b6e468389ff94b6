import { micros, type AccountId, type CallId, type Micros, type ReservationId } from '@outdial/contracts';
import type {
  AccountLimits,
  BeginRebuildOutcome,
  EnlargeOutcome,
  GateSnapshot,
  GateToken,
  ReleaseInput,
  ReserveInput,
  ReserveOutcome,
  SystemLimits,
} from '../../ports/gate.ts';

interface ModelHold {
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  readonly holdMicros: Micros;
}

/**
 * The rules of the gate, written independently of its scripts: sums are recomputed from the holds each time, and a
 * rebuild simply assigns. Slow and obvious.
 */
export class GateModel {
  holds = new Map<CallId, ModelHold>();
  accounts = new Map<AccountId, AccountLimits>();
  system: SystemLimits | null = null;
  token: GateToken | null = null;
  published: GateToken | null = null;
  /** The life of the Redis data; null before the first write. */
  incarnation: number | null = null;
  foreign = false;
  mark: 'none' | 'young' | 'old' = 'none';
  incarnations = 0;
  /** Rebuilds that were begun; the mark belongs to the last one. */
  rebuilds = 0;

  get openToken(): GateToken | null {
    return this.foreign ? null : this.token;
  }

  heldBy(accountId: AccountId): bigint {
    return this.holdsOf(accountId).reduce((sum, hold) => sum + hold.holdMicros, 0n);
  }

  openCallsOf(accountId: AccountId): number {
    return this.holdsOf(accountId).length;
  }

  private holdsOf(accountId: AccountId): readonly ModelHold[] {
    return [...this.holds.values()].filter((hold) => hold.accountId === accountId);
  }

  private own(input: ReleaseInput | ReserveInput): ModelHold | null {
    const hold = this.holds.get(input.callId);
    return hold && hold.reservationId === input.reservationId && hold.accountId === input.accountId ? hold : null;
  }

  reserve(input: ReserveInput): ReserveOutcome {
    const token = this.openToken;
    if (!token || !this.system) return { kind: 'closed' };
    if (this.own(input)) return { kind: 'reserved', token };
    if (this.holds.has(input.callId)) return { kind: 'duplicate' };
    const account = this.accounts.get(input.accountId);
    if (!account) return { kind: 'account_unknown', token };
    const availableMicros = micros(account.balanceMicros - this.heldBy(input.accountId));
    if (availableMicros < input.holdMicros) return { kind: 'insufficient_funds', availableMicros };
    const openCalls = this.openCallsOf(input.accountId);
    if (openCalls >= account.capacity) {
      return { kind: 'capacity_exceeded', scope: 'account', limit: account.capacity, inUse: openCalls };
    }
    if (this.holds.size >= this.system.capacity) {
      return { kind: 'capacity_exceeded', scope: 'system', limit: this.system.capacity, inUse: this.holds.size };
    }
    const { accountId, reservationId, holdMicros } = input;
    this.holds.set(input.callId, { accountId, reservationId, holdMicros });
    return { kind: 'reserved', token };
  }

  enlarge(input: ReserveInput): EnlargeOutcome {
    const token = this.openToken;
    if (!token) return { kind: 'closed' };
    const hold = this.own(input);
    if (!hold) return { kind: 'not_held' };
    if (hold.holdMicros >= input.holdMicros) return { kind: 'enlarged', token };
    const balance = this.accounts.get(input.accountId)?.balanceMicros ?? 0n;
    const heldByOthers = this.heldBy(input.accountId) - hold.holdMicros;
    if (balance - heldByOthers < input.holdMicros) {
      return { kind: 'insufficient_funds', availableMicros: micros(balance - heldByOthers - hold.holdMicros) };
    }
    this.holds.set(input.callId, { ...hold, holdMicros: input.holdMicros });
    return { kind: 'enlarged', token };
  }

  release(input: ReleaseInput): 'released' | 'not_held' | 'closed' {
    if (!this.openToken) return 'closed';
    const account = this.accounts.get(input.accountId);
    if (account && input.balance) this.merge({ ...account, ...input.balance });
    if (!this.own(input)) return 'not_held';
    this.holds.delete(input.callId);
    return 'released';
  }

  loadAccount(token: GateToken, limits: AccountLimits): 'loaded' | 'closed' {
    if (!this.openToken || !sameToken(this.openToken, token)) return 'closed';
    if (this.accounts.has(limits.accountId)) this.merge(limits);
    else this.accounts.set(limits.accountId, limits);
    return 'loaded';
  }

  refreshAccount(limits: AccountLimits): 'refreshed' | 'unchanged' | 'closed' {
    if (!this.openToken) return 'closed';
    return this.merge(limits) ? 'refreshed' : 'unchanged';
  }

  refreshSystem(limits: SystemLimits): 'refreshed' | 'unchanged' | 'closed' {
    if (!this.openToken || !this.system) return 'closed';
    if (limits.capacityVersion <= this.system.capacityVersion) return 'unchanged';
    this.system = limits;
    return 'refreshed';
  }

  private merge(given: AccountLimits): boolean {
    const known = this.accounts.get(given.accountId);
    if (!known) return false;
    const balance = given.balanceVersion > known.balanceVersion ? given : known;
    const capacity = given.capacityVersion > known.capacityVersion ? given : known;
    this.accounts.set(given.accountId, {
      accountId: given.accountId,
      balanceMicros: balance.balanceMicros,
      balanceVersion: balance.balanceVersion,
      capacity: capacity.capacity,
      capacityVersion: capacity.capacityVersion,
    });
    return balance === given || capacity === given;
  }

  close(token: GateToken): void {
    if (this.token && sameToken(this.token, token)) this.token = null;
  }

  beginRebuild(): BeginRebuildOutcome['kind'] {
    if (this.incarnation === null || this.foreign) {
      this.incarnations += 1;
      this.incarnation = this.incarnations;
      this.foreign = false;
      this.token = null;
      this.published = null;
    } else if (this.token) {
      return 'not_needed';
    } else if (this.mark === 'young') {
      return 'under_way';
    }
    this.mark = 'young';
    this.rebuilds += 1;
    return 'begun';
  }

  abandonRebuild(rebuild: number): void {
    if (this.rebuilds === rebuild) this.mark = 'none';
  }

  publish(incarnation: number, snapshot: GateSnapshot): 'published' | 'superseded' {
    if (this.foreign || this.incarnation !== incarnation) return 'superseded';
    if (this.token && sameToken(this.token, snapshot.token)) return 'published';
    if (this.published && !isGreater(snapshot.token, this.published)) return 'superseded';
    this.token = snapshot.token;
    this.published = snapshot.token;
    this.mark = 'none';
    this.system = snapshot.system;
    this.accounts = new Map(snapshot.accounts.map((limits) => [limits.accountId, limits]));
    this.holds = new Map(snapshot.holds.map(({ callId, ...hold }) => [callId, hold]));
    return 'published';
  }

  flush(): void {
    this.holds.clear();
    this.accounts.clear();
    this.system = null;
    this.token = null;
    this.published = null;
    this.incarnation = null;
    this.foreign = false;
    this.mark = 'none';
  }

  becomeForeign(): void {
    if (this.incarnation !== null) this.foreign = true;
  }

  ageMark(): void {
    if (this.mark === 'young') this.mark = 'old';
  }
}

function sameToken(one: GateToken, other: GateToken): boolean {
  return one.generation === other.generation && one.walTimeline === other.walTimeline;
}

function isGreater(one: GateToken, other: GateToken): boolean {
  if (one.walTimeline !== other.walTimeline)
    return Number.parseInt(one.walTimeline, 16) > Number.parseInt(other.walTimeline, 16);
  return one.generation > other.generation;
}
