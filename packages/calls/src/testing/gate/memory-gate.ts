import { micros, type AccountId, type CallId, type ReservationId } from '@outdial/contracts';
import { systemClock, type Clock } from '@outdial/kernel';
import type {
  AccountLimits,
  AccountUse,
  BeginRebuildOutcome,
  EnlargeOutcome,
  FoundHold,
  Gate,
  GateHold,
  GateSnapshot,
  GateState,
  GateToken,
  HoldOfCall,
  RebuildTicket,
  ReleaseInput,
  ReserveInput,
  ReserveOutcome,
  SystemLimits,
} from '../../ports/gate.ts';
import { GateModel } from './gate-model.ts';

/** Another process may rebuild after this time. */
const REBUILD_MS = 10_000;

/** Small, so that tests see more than one page. */
const PAGE = 2;

/** The gate of `GateModel` behind the port. Closed until a rebuild publishes into it. */
export class MemoryGate implements Gate {
  readonly model = new GateModel();
  /** Every command fails, without an effect. */
  away = false;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #heldSinceMs = new Map<ReservationId, number>();
  #rebuildingSinceMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'> = systemClock) {
    this.#clock = clock;
  }

  /** Opens the gate with these contents, or replaces those of an open gate. */
  open(snapshot: GateSnapshot): void {
    if (this.model.token) this.model.close(this.model.token);
    this.model.published = null;
    this.model.ageMark();
    this.model.beginRebuild();
    this.model.publish(this.model.incarnation ?? 0, snapshot);
  }

  /** Adds a hold that was made `ageMs` ago. */
  hold({ callId, ...hold }: GateHold, ageMs = 0): void {
    this.model.holds.set(callId, hold);
    this.#heldSinceMs.set(hold.reservationId, this.#clock.monotonicMs() - ageMs);
  }

  async reserve(input: ReserveInput): Promise<ReserveOutcome> {
    this.#arrive();
    checkAmount(input);
    const outcome = this.model.reserve(input);
    if (outcome.kind === 'reserved' && !this.#heldSinceMs.has(input.reservationId)) this.#note(input);
    return outcome;
  }

  async enlarge(input: ReserveInput): Promise<EnlargeOutcome> {
    this.#arrive();
    checkAmount(input);
    return this.model.enlarge(input);
  }

  async release(input: ReleaseInput): Promise<'released' | 'not_held' | 'closed'> {
    this.#arrive();
    return this.model.release(input);
  }

  async loadAccount(token: GateToken, limits: AccountLimits): Promise<'loaded' | 'closed'> {
    this.#arrive();
    return this.model.loadAccount(token, limits);
  }

  async refreshAccount(limits: AccountLimits): Promise<'refreshed' | 'unchanged' | 'closed'> {
    this.#arrive();
    return this.model.refreshAccount(limits);
  }

  async refreshSystem(limits: SystemLimits): Promise<'refreshed' | 'unchanged' | 'closed'> {
    this.#arrive();
    return this.model.refreshSystem(limits);
  }

  async close(token: GateToken): Promise<void> {
    this.#arrive();
    this.model.close(token);
  }

  async beginRebuild(): Promise<BeginRebuildOutcome> {
    this.#arrive();
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#rebuildingSinceMs >= REBUILD_MS) this.model.ageMark();
    const kind = this.model.beginRebuild();
    if (kind !== 'begun') return { kind };
    this.#rebuildingSinceMs = nowMs;
    const { incarnation, rebuilds } = this.model;
    return { kind, ticket: { incarnation: String(incarnation), attemptId: String(rebuilds) } };
  }

  async abandonRebuild(ticket: RebuildTicket): Promise<void> {
    this.#arrive();
    this.model.abandonRebuild(Number(ticket.attemptId));
  }

  async publish(ticket: RebuildTicket, snapshot: GateSnapshot): Promise<'published' | 'superseded'> {
    this.#arrive();
    checkSnapshot(snapshot);
    const outcome = this.model.publish(Number(ticket.incarnation), snapshot);
    if (outcome === 'published') for (const hold of snapshot.holds) this.#note(hold);
    return outcome;
  }

  async state(): Promise<GateState> {
    this.#arrive();
    const { openToken: token, holds } = this.model;
    return { open: token !== null, token, slotsInUse: holds.size };
  }

  async accountUse(accountId: AccountId): Promise<AccountUse | null> {
    this.#arrive();
    if (!this.model.openToken) return null;
    return { heldMicros: micros(this.model.heldBy(accountId)), openCalls: this.model.openCallsOf(accountId) };
  }

  async holdsOf(callIds: readonly CallId[]): Promise<readonly (HoldOfCall | null)[] | null> {
    this.#arrive();
    if (!this.model.openToken) return null;
    return callIds.map((callId) => {
      const hold = this.model.holds.get(callId);
      return hold ? { reservationId: hold.reservationId, holdMicros: hold.holdMicros } : null;
    });
  }

  async *holds(): AsyncGenerator<readonly FoundHold[]> {
    this.#arrive();
    if (!this.model.openToken) return;
    const nowMs = this.#clock.monotonicMs();
    yield* pages(
      [...this.model.holds].map(([callId, hold]) => ({
        callId,
        ...hold,
        ageMs: nowMs - (this.#heldSinceMs.get(hold.reservationId) ?? nowMs),
      })),
    );
  }

  async *accounts(): AsyncGenerator<readonly AccountLimits[]> {
    this.#arrive();
    if (this.model.openToken) yield* pages([...this.model.accounts.values()]);
  }

  #note({ reservationId }: GateHold): void {
    this.#heldSinceMs.set(reservationId, this.#clock.monotonicMs());
  }

  #arrive(): void {
    if (this.away) throw new Error('Redis is away');
  }
}

function checkAmount({ holdMicros }: ReserveInput): void {
  if (holdMicros < 0n) throw new Error(`a hold of ${holdMicros} micros is below zero`);
}

function checkSnapshot({ accounts, holds }: GateSnapshot): void {
  const known = new Set(accounts.map(({ accountId }) => accountId));
  const seen = new Set<CallId>();
  for (const { callId, accountId } of holds) {
    if (!known.has(accountId)) throw new Error(`the snapshot has a hold of account ${accountId} without its account`);
    if (seen.has(callId)) throw new Error(`call ${callId} is in the snapshot twice`);
    seen.add(callId);
  }
  if (known.size !== accounts.length) throw new Error('an account is in the snapshot twice');
}

function* pages<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += PAGE) yield items.slice(start, start + PAGE);
}
