import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  createCallSchema,
  e164Schema,
  micros,
  reservationIdSchema,
  type CallId,
  type E164,
  type ReservationId,
} from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { vi } from 'vitest';
import {
  createAcceptCall,
  type AcceptCallDeps,
  type AcceptCallOutcome,
  type AcceptCallRequest,
} from '../src/accept/accept-call.ts';
import type { QueuedCall } from '../src/call.ts';
import type { AcceptRow, AcceptOutcome } from '../src/ports/accept-store.ts';
import type { AccountProfile } from '../src/ports/directory.ts';
import type { ReserveOutcome } from '../src/ports/gate.ts';
import type { TrunkAvailability } from '../src/ports/trunks.ts';
import { createRateDeck, type Rate } from '../src/rate-deck.ts';

/** How a store handles one question: when it acts, and when it answers. Null is never; times in ms. */
export interface Behaviour {
  readonly actsAfter: number | null;
  readonly answersAfter: number | null;
  readonly rejects: boolean;
}

const PROMPT: Behaviour = { actsAfter: 0, answersAfter: 0, rejects: false };
export const HUNG: Behaviour = { actsAfter: null, answersAfter: null, rejects: false };
export const REFUSING: Behaviour = { actsAfter: null, answersAfter: 0, rejects: true };

export type Question =
  | 'findAgent'
  | 'findIdempotent'
  | 'reserve'
  | 'release'
  | 'limitsOf'
  | 'loadAccount'
  | 'accept'
  | 'voidReservation'
  | 'find'
  | 'add';

export const number = (text: string): E164 => e164Schema.parse(text);
export const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
export const agentId = agentIdSchema.parse('0b000000-0000-4000-8000-000000000001');
const id = (tail: number) => `0c000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;

export const rate: Rate = {
  prefix: '1',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};

export const account: AccountProfile = {
  id: accountId,
  name: 'Acme',
  currency: 'USD',
  enabled: true,
  mayUseSystemNumber: false,
  maxDurationSeconds: 3_600,
  ringTimeoutSeconds: 60,
  outboundNumbers: [number('+12025550101'), number('+12025550102')],
  blockedPrefixes: ['1900'],
};

/** In-memory stores that follow the protocol's rules and fail on demand. */
export class AcceptWorld {
  readonly behaviour = new Map<Question, Behaviour>();
  readonly asked: Question[] = [];
  readonly holds = new Map<CallId, ReservationId>();
  readonly reservations = new Map<ReservationId, 'used' | 'void'>();
  readonly rows = new Map<CallId, AcceptRow>();
  readonly queued: CallId[] = [];
  systemNumber: E164 | null = null;
  requiredVariables: readonly string[] | null = [];
  accountKnown = true;
  rebuildsRequested = 0;
  closed = 0;
  /** Used instead of the model's own answer. */
  reserveAnswer: ReserveOutcome | undefined;
  availability: TrunkAvailability | null = null;
  availabilityError: Error | undefined;
  acceptAnswer: AcceptOutcome | undefined;
  acceptError: Error | undefined;
  readonly token = { generation: 3, walTimeline: '00000001' };
  #ids = 0;

  readonly acceptCall = createAcceptCall(this.#deps());

  request(over: Partial<AcceptCallRequest> & { readonly fields?: Readonly<Record<string, unknown>> } = {}) {
    const { fields, ...rest } = over;
    const body = createCallSchema.parse({ to_number: '+12025550143', agent_id: agentId, ...fields });
    const deadlineMs = systemClock.monotonicMs() + 900;
    return { account, body, idempotencyKey: null, requestId: 'request-1', deadlineMs, ...rest };
  }

  callOf(row: AcceptRow): QueuedCall {
    const { callId, agentVersion, reservationId, ...facts } = row;
    return {
      ...facts,
      id: callId,
      agentVersion,
      reservationId,
      status: 'queued',
      reviewNote: null,
      createdAtMs: 1_000,
      expiresAtMs: 601_000,
    };
  }

  async #ask<Answer>(question: Question, act: () => Answer): Promise<Answer> {
    this.asked.push(question);
    const { actsAfter, answersAfter, rejects } = this.behaviour.get(question) ?? PROMPT;
    const acting = actsAfter === null ? null : after(actsAfter).then(act);
    await after(answersAfter);
    if (rejects || acting === null) throw new Error(`${question} failed`);
    return acting;
  }

  #reserve(callId: CallId, reservationId: ReservationId): ReserveOutcome {
    if (this.reserveAnswer) return this.reserveAnswer;
    const held = this.holds.get(callId);
    if (held !== undefined && held !== reservationId) return { kind: 'duplicate' };
    if (!this.accountKnown) return { kind: 'account_unknown', token: this.token };
    this.holds.set(callId, reservationId);
    return { kind: 'reserved', token: this.token };
  }

  #release(callId: CallId, reservationId: ReservationId): 'released' | 'not_held' {
    if (this.holds.get(callId) !== reservationId) return 'not_held';
    this.holds.delete(callId);
    return 'released';
  }

  #accept(row: AcceptRow): AcceptOutcome {
    if (this.acceptError) throw this.acceptError;
    if (this.acceptAnswer) return this.acceptAnswer;
    if (this.reservations.get(row.reservationId) === 'void') return { kind: 'voided' };
    if (this.rows.has(row.callId)) return { kind: 'call_exists' };
    this.rows.set(row.callId, row);
    this.reservations.set(row.reservationId, 'used');
    return { kind: 'accepted', call: this.callOf(row) };
  }

  #void(reservationId: ReservationId): 'voided' | 'used' {
    if (this.reservations.get(reservationId) === 'used') return 'used';
    this.reservations.set(reservationId, 'void');
    return 'voided';
  }

  #deps(): AcceptCallDeps {
    return {
      clock: systemClock,
      queueTtlSeconds: 600,
      readTrunkAvailability: async () => {
        if (this.availabilityError) throw this.availabilityError;
        return this.availability;
      },
      newCallId: () => callIdSchema.parse(id((this.#ids += 1))),
      newReservationId: () => reservationIdSchema.parse(id((this.#ids += 1))),
      requestRebuild: () => (this.rebuildsRequested += 1),
      directory: {
        findAgent: (_account, wanted) =>
          this.#ask('findAgent', () =>
            wanted === agentId ? { id: agentId, version: 7, requiredVariables: this.requiredVariables } : null,
          ),
        systemNumber: async () => this.systemNumber,
        rateDeck: async (currency) => createRateDeck({ currency, version: 1, rates: [rate] }),
      },
      gate: {
        reserve: (input) => this.#ask('reserve', () => this.#reserve(input.callId, input.reservationId)),
        release: (input) => this.#ask('release', () => this.#release(input.callId, input.reservationId)),
        loadAccount: () =>
          this.#ask('loadAccount', () => {
            this.accountKnown = true;
            return 'loaded';
          }),
        close: async () => {
          this.closed += 1;
        },
      },
      limits: {
        limitsOf: ([asked = accountId]) =>
          this.#ask('limitsOf', () => [
            { accountId: asked, balanceMicros: micros(1), balanceVersion: 1, capacity: 10, capacityVersion: 1 },
          ]),
      },
      store: {
        accept: (row) => this.#ask('accept', () => this.#accept(row)),
        voidReservation: (reservationId) => this.#ask('voidReservation', () => this.#void(reservationId)),
        findIdempotent: ({ callId }) =>
          this.#ask('findIdempotent', () => {
            const row = this.rows.get(callId);
            return row?.idempotency ? { call: this.callOf(row), bodyDigest: row.idempotency.bodyDigest } : null;
          }),
      },
      reader: {
        find: (_account, callId) =>
          this.#ask('find', () => {
            const row = this.rows.get(callId);
            return row ? this.callOf(row) : null;
          }),
      },
      queue: { add: (callIds) => this.#ask('add', () => void this.queued.push(...callIds)) },
    };
  }
}

export const BUDGET_MS = 900;

/** Runs the request while time passes, and returns how long the answer took. Needs vitest's fake timers. */
export async function answer(
  world: AcceptWorld,
  request: AcceptCallRequest,
): Promise<{ readonly outcome: AcceptCallOutcome; readonly tookMs: number }> {
  const startedMs = systemClock.monotonicMs();
  const answering = world.acceptCall(request).then((outcome) => ({
    outcome,
    tookMs: systemClock.monotonicMs() - startedMs,
  }));
  const [answered] = await Promise.all([answering, vi.advanceTimersByTimeAsync(BUDGET_MS)]);
  return answered;
}

/** What `systemClock` reads from. */
export const FAKED_TIMERS = { toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] } as const;

/** Null never resolves. */
function after(ms: number | null): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    if (ms !== null) setTimeout(resolve, ms);
  });
}
