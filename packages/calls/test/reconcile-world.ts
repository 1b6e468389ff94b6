import {
  accountIdSchema,
  callIdSchema,
  micros,
  reservationIdSchema,
  type CallId,
  type ReservationId,
} from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import type { AccountLimits, Gate, GateHold, GateSnapshot, GateToken, ReleaseInput } from '../src/ports/gate.ts';
import type { DriveStore } from '../src/ports/drive-store.ts';
import type { HoldStatus, ReconcileStore } from '../src/ports/reconcile-store.ts';
import { acceptRow } from '../src/testing/accept/accept-row.ts';
import { MemoryAcceptStore } from '../src/testing/accept/memory-accept-store.ts';
import { limitsOf, snapshotOf, TOKEN, tokenOf } from '../src/testing/gate/gate-fixture.ts';
import { MemoryGate } from '../src/testing/gate/memory-gate.ts';
import { MemoryCallQueue } from '../src/testing/queue/memory-call-queue.ts';
import { DriveStoreModel } from './drive-store-model.ts';
import { callFacts } from './drive-world.ts';

export const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
export const callIdOf = (tail: number): CallId =>
  callIdSchema.parse(`0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);
const reservationIdOf = (tail: number): ReservationId =>
  reservationIdSchema.parse(`0d000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);

/** Both stores as the reconcile loop sees them, in memory: an open gate, and the Postgres that it was built from. */
export class ReconcileWorld {
  readonly redis = new MemoryGate();
  postgresToken: GateToken = TOKEN;
  statuses = new Map<CallId, HoldStatus>();
  postgresAccounts: AccountLimits[] = [];
  refreshedAccounts: AccountLimits[] = [];
  systemVersion = 1;
  refreshedSystem: number[] = [];
  released: ReleaseInput[] = [];
  closed: GateToken[] = [];
  queued: { readonly callId: CallId; readonly expired: boolean; readonly ageMs: number }[] = [];
  added: CallId[] = [];
  endedQueued: { readonly callIds: readonly CallId[]; readonly reason: string }[] = [];
  publishes: GateSnapshot[] = [];
  /** From the middle of a rebuild on. */
  goesAway: 'Postgres' | 'Redis' | null = null;
  readonly steps: string[] = [];
  readonly logger = createLogger({ name: 'test', level: 'silent' });
  readonly acceptStore = new MemoryAcceptStore({ token: TOKEN, accountIds: [accountId] });

  constructor() {
    this.open([limitsOf(accountId)]);
  }

  /** Builds the gate again, with these accounts. */
  open(accounts: readonly AccountLimits[]): void {
    this.redis.open(snapshotOf({ accounts }));
  }

  hold(tail: number, ageMs: number, status: HoldStatus): GateHold {
    const hold = { callId: callIdOf(tail), accountId, reservationId: reservationIdOf(tail), holdMicros: micros(10) };
    this.redis.hold(hold, ageMs);
    this.statuses.set(hold.callId, status);
    return hold;
  }

  /** This reservation's commit arrives before it can be voided. */
  commitLate({ callId, reservationId }: GateHold): void {
    this.acceptStore.store(acceptRow({ accountId }, TOKEN, { callId, reservationId }));
  }

  get voided(): readonly ReservationId[] {
    return [...this.acceptStore.reservations].flatMap(([id, state]) => (state === 'void' ? [id] : []));
  }

  readonly gate: Gate = {
    reserve: (input) => this.redis.reserve(input),
    enlarge: (input) => this.redis.enlarge(input),
    loadAccount: (token, limits) => this.redis.loadAccount(token, limits),
    release: async (input) => {
      this.released.push(input);
      return this.redis.release(input);
    },
    refreshAccount: async (limits) => {
      this.refreshedAccounts.push(limits);
      return this.redis.refreshAccount(limits);
    },
    refreshSystem: async (limits) => {
      this.refreshedSystem.push(limits.capacityVersion);
      return this.redis.refreshSystem(limits);
    },
    close: async (token) => {
      this.closed.push(token);
      await this.redis.close(token);
    },
    beginRebuild: async () => {
      this.steps.push('begin');
      return this.redis.beginRebuild();
    },
    abandonRebuild: async (ticket) => {
      this.steps.push('abandon');
      await this.redis.abandonRebuild(ticket);
    },
    publish: async (ticket, snapshot) => {
      this.steps.push('publish');
      this.publishes.push(snapshot);
      return this.redis.publish(ticket, snapshot);
    },
    state: () => this.redis.state(),
    accountUse: (of) => this.redis.accountUse(of),
    holdsOf: (callIds) => this.redis.holdsOf(callIds),
    holds: () => this.redis.holds(),
    accounts: () => this.redis.accounts(),
  };

  readonly reconcileStore: ReconcileStore = {
    holdStatuses: async (asked) => asked.map(({ callId }) => this.statuses.get(callId) ?? { kind: 'unknown' }),
    limitsOf: async (asked) => this.postgresAccounts.filter((limits) => asked.includes(limits.accountId)),
    systemLimits: async () => ({ capacity: 100, capacityVersion: this.systemVersion }),
    queuedCalls: async ({ olderThanMs, limit }) =>
      this.queued
        .filter((call) => call.ageMs >= olderThanMs && this.#driveOf(call.callId).status === 'queued')
        .slice(0, limit),
    currentToken: async () => this.postgresToken,
    nextGeneration: async () => {
      this.steps.push('generation');
      this.postgresToken = tokenOf(this.postgresToken.generation + 1);
      return this.postgresToken;
    },
    snapshot: async (token) => {
      this.steps.push('snapshot');
      if (this.goesAway === 'Postgres') throw new Error('Postgres is away');
      if (this.goesAway === 'Redis') this.redis.away = true;
      return snapshotOf({ token });
    },
  };

  readonly #jobs = new MemoryCallQueue();
  readonly queue = {
    jobs: this.#jobs.jobs,
    setAway: (isAway: boolean) => void (this.#jobs.away = isAway),
    add: async (callIds: readonly CallId[]) => {
      await this.#jobs.add(callIds);
      this.added.push(...callIds);
    },
    missing: (callIds: readonly CallId[]) => this.#jobs.missing(callIds),
  };

  /** Of each call in the queue, with the rules of Postgres. */
  readonly #drives = new Map<CallId, DriveStoreModel>();
  readonly store = {
    endQueued: async ({ callIds, reason }: Parameters<DriveStore['endQueued']>[0]) => {
      this.endedQueued.push({ callIds, reason });
      const releases = await Promise.all(
        this.queued.map(({ callId }) => this.#driveOf(callId).endQueued({ callIds, reason })),
      );
      return releases.flat();
    },
  };

  #driveOf(callId: CallId): DriveStoreModel {
    const reservationId = reservationIdSchema.parse(callId.replace('0c', '0d'));
    const drive =
      this.#drives.get(callId) ??
      new DriveStoreModel({ ...callFacts(), id: callId, accountId, reservationId }, micros(10));
    this.#drives.set(callId, drive);
    return drive;
  }
}
