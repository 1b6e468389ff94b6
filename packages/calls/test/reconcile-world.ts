import {
  accountIdSchema,
  callIdSchema,
  micros,
  reservationIdSchema,
  type CallId,
  type ReservationId,
} from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import type { AccountLimits, FoundHold, Gate, GateSnapshot, GateToken, ReleaseInput } from '../src/ports/gate.ts';
import type { HoldStatus, ReconcileStore } from '../src/ports/reconcile-store.ts';

export const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
export const callIdOf = (tail: number): CallId =>
  callIdSchema.parse(`0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);
const reservationIdOf = (tail: number): ReservationId =>
  reservationIdSchema.parse(`0d000000-0000-4000-8000-${String(tail).padStart(12, '0')}`);

const token = (generation: number): GateToken => ({ generation, walTimeline: '00000001' });

/** Both stores as the reconcile loop sees them, in memory. */
export class ReconcileWorld {
  gateToken: GateToken | null = token(1);
  postgresToken = token(1);
  holds: FoundHold[] = [];
  statuses = new Map<CallId, HoldStatus>();
  voided: ReservationId[] = [];
  /** Reservations whose commit arrives before they can be voided. */
  lateCommits = new Set<ReservationId>();
  gateAccounts: AccountLimits[] = [];
  postgresAccounts: AccountLimits[] = [];
  refreshedAccounts: AccountLimits[] = [];
  systemVersion = 1;
  refreshedSystem: number[] = [];
  released: ReleaseInput[] = [];
  closed: GateToken[] = [];
  queued: { readonly callId: CallId; readonly expired: boolean; readonly ageMs: number }[] = [];
  jobs = new Set<CallId>();
  added: CallId[] = [];
  endedQueued: { readonly callIds: readonly CallId[]; readonly reason: string }[] = [];
  rebuild: 'begun' | 'under_way' | 'not_needed' = 'begun';
  publishes: GateSnapshot[] = [];
  publishAnswer: 'published' | 'superseded' = 'published';
  queueAway = false;
  /** From the middle of a rebuild on. */
  postgresAway = false;
  redisAway = false;
  readonly steps: string[] = [];
  readonly logger = createLogger({ name: 'test', level: 'silent' });

  hold(tail: number, ageMs: number, status: HoldStatus): FoundHold {
    const hold = {
      callId: callIdOf(tail),
      accountId,
      reservationId: reservationIdOf(tail),
      holdMicros: micros(10),
      ageMs,
    };
    this.holds.push(hold);
    this.statuses.set(hold.callId, status);
    return hold;
  }

  readonly gate: Gate = {
    reserve: () => Promise.reject(new Error('not used here')),
    enlarge: () => Promise.reject(new Error('not used here')),
    loadAccount: () => Promise.reject(new Error('not used here')),
    release: async (input) => {
      this.released.push(input);
      return 'released';
    },
    refreshAccount: async (limits) => {
      this.refreshedAccounts.push(limits);
      return 'refreshed';
    },
    refreshSystem: async ({ capacityVersion }) => {
      this.refreshedSystem.push(capacityVersion);
      return 'unchanged';
    },
    close: async (closing) => void this.closed.push(closing),
    beginRebuild: async () => {
      this.steps.push('begin');
      const ticket = { incarnation: 'i', attemptId: 'a' };
      return this.rebuild === 'begun' ? { kind: 'begun', ticket } : { kind: this.rebuild };
    },
    abandonRebuild: async ({ attemptId }) => {
      this.steps.push(`abandon ${attemptId}`);
      if (this.redisAway) throw new Error('Redis is away');
    },
    publish: async (_ticket, snapshot) => {
      this.steps.push('publish');
      if (this.redisAway) throw new Error('Redis is away');
      this.publishes.push(snapshot);
      return this.publishAnswer;
    },
    state: async () => ({ open: this.gateToken !== null, token: this.gateToken, slotsInUse: this.holds.length }),
    holds: () => pages(this.holds),
    accounts: () => pages(this.gateAccounts),
  };

  readonly reconcileStore: ReconcileStore = {
    holdStatuses: async (asked) => asked.map(({ callId }) => this.statuses.get(callId) ?? { kind: 'unknown' }),
    limitsOf: async (asked) => this.postgresAccounts.filter((limits) => asked.includes(limits.accountId)),
    systemLimits: async () => ({ capacity: 100, capacityVersion: this.systemVersion }),
    queuedCalls: async ({ olderThanMs, limit }) =>
      this.queued.filter((call) => call.ageMs >= olderThanMs).slice(0, limit),
    currentToken: async () => this.postgresToken,
    nextGeneration: async () => {
      this.steps.push('generation');
      return token(2);
    },
    snapshot: async (taken) => {
      this.steps.push('snapshot');
      if (this.postgresAway) throw new Error('Postgres is away');
      return { token: taken, system: { capacity: 100, capacityVersion: 1 }, accounts: [], holds: [] };
    },
  };

  readonly acceptStore = {
    voidReservation: async (reservationId: ReservationId): Promise<'voided' | 'used'> => {
      if (this.lateCommits.has(reservationId)) return 'used';
      this.voided.push(reservationId);
      return 'voided';
    },
  };

  readonly queue = {
    add: async (callIds: readonly CallId[]) => {
      if (this.queueAway) throw new Error('Redis is away');
      this.added.push(...callIds);
    },
    missing: async (callIds: readonly CallId[]) => callIds.filter((callId) => !this.jobs.has(callId)),
  };

  readonly store = {
    endQueued: async ({ callIds, reason }: { readonly callIds: readonly CallId[]; readonly reason: string }) => {
      this.endedQueued.push({ callIds, reason });
      return callIds.map((callId) => ({ callId, accountId, reservationId: reservationIdOf(1) }));
    },
  };
}

async function* pages<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += 2) yield items.slice(start, start + 2);
}
