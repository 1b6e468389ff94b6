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
import type { AcceptRow, AcceptOutcome, ScheduleOutcome, ScheduleRow } from '../src/ports/accept-store.ts';
import { createModelRateDeck, type ModelRate } from '../src/model-rate-deck.ts';
import type { CredentialRef, CredentialWanted } from '../src/ports/credential-directory.ts';
import type { AccountProfile, ConductedAgent } from '../src/ports/directory.ts';
import type { ReserveOutcome } from '../src/ports/gate.ts';
import type { TrunkAvailability } from '../src/ports/trunks.ts';
import { createRateDeck, type Rate } from '../src/rate-deck.ts';
import { MemoryAcceptStore } from '../src/testing/accept/memory-accept-store.ts';
import { limitsOf, snapshotOf } from '../src/testing/gate/gate-fixture.ts';
import { MemoryGate } from '../src/testing/gate/memory-gate.ts';
import { MemoryCallQueue } from '../src/testing/queue/memory-call-queue.ts';

/** How a store handles one question: when it acts, and when it answers. Null is never; times in ms. */
export interface Behavior {
  readonly actsAfter: number | null;
  readonly answersAfter: number | null;
  readonly rejects: boolean;
}

const PROMPT: Behavior = { actsAfter: 0, answersAfter: 0, rejects: false };
export const HUNG: Behavior = { actsAfter: null, answersAfter: null, rejects: false };
export const REFUSING: Behavior = { actsAfter: null, answersAfter: 0, rejects: true };

export type Question =
  | 'findAgent'
  | 'findIdempotent'
  | 'reserve'
  | 'release'
  | 'limitsOf'
  | 'loadAccount'
  | 'accept'
  | 'schedule'
  | 'countScheduled'
  | 'cappedUntilMs'
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
  policies: { policy: null, floor: null },
};

/** An account that the gate has not loaded. */
export const stranger: AccountProfile = { ...account, id: accountIdSchema.parse(id(99)) };

const token = { generation: 3, walTimeline: '00000001' };
const limits = limitsOf(accountId, { balanceMicros: micros(1_000_000_000), capacity: 1_000 });

/** In-memory stores, checked against the real ones, that fail on demand. */
export class AcceptWorld {
  readonly gate = new MemoryGate();
  readonly store = new MemoryAcceptStore({ token, accountIds: [accountId, stranger.id] });
  readonly queue = new MemoryCallQueue();
  readonly behavior = new Map<Question, Behavior>();
  readonly asked: Question[] = [];
  /** Of the gate. */
  readonly reservationsAsked: ReservationId[] = [];
  readonly rows = this.store.rows;
  readonly scheduleRows = this.store.scheduleRows;
  systemNumber: E164 | null = null;
  requiredVariables: readonly string[] | null = [];
  /** Null: the agent is scripted. */
  conducted: ConductedAgent | null = null;
  modelRates: readonly ModelRate[] = [];
  credentials: readonly (CredentialRef & Pick<CredentialWanted, 'provider' | 'name'>)[] = [];
  rebuildsRequested = 0;
  closed = 0;
  /** Used instead of the model's own answer. */
  reserveAnswer: ReserveOutcome | undefined;
  availability: TrunkAvailability | null = null;
  availabilityError: Error | undefined;
  acceptAnswer: AcceptOutcome | undefined;
  acceptError: Error | undefined;
  scheduleAnswer: ScheduleOutcome | undefined;
  scheduleError: Error | undefined;
  /** Used instead of the number of calls that are stored. */
  scheduledCalls: number | undefined;
  readonly token = token;
  #ids = 0;

  readonly acceptCall = createAcceptCall(this.#deps());

  constructor() {
    this.gate.open(snapshotOf({ token, accounts: [limits] }));
  }

  /** The holds of the open gate; a closed one has none that counts. */
  get holds(): ReadonlyMap<CallId, ReservationId> {
    const { openToken, holds } = this.gate.model;
    return new Map(openToken ? [...holds].map(([callId, { reservationId }]) => [callId, reservationId]) : []);
  }

  get queued(): readonly CallId[] {
    return [...this.queue.jobs.keys()];
  }

  /** The gate was rebuilt while the account had no open call. */
  forgetAccount(): void {
    this.gate.model.accounts.delete(accountId);
  }

  request(over: Partial<AcceptCallRequest> & { readonly fields?: Readonly<Record<string, unknown>> } = {}) {
    const { fields, ...rest } = over;
    const body = createCallSchema.parse({ to_number: '+12025550143', agent_id: agentId, ...fields });
    const deadlineMs = systemClock.monotonicMs() + 900;
    return { account, body, idempotencyKey: null, requestId: 'request-1', deadlineMs, ...rest };
  }

  async #ask<Answer>(question: Question, act: () => Answer | Promise<Answer>): Promise<Answer> {
    this.asked.push(question);
    const { actsAfter, answersAfter, rejects } = this.behavior.get(question) ?? PROMPT;
    const acting = actsAfter === null ? null : after(actsAfter).then(act);
    // Its caller may never learn how it went.
    acting?.catch(() => undefined);
    await after(answersAfter);
    if (rejects || acting === null) throw new Error(`${question} failed`);
    return acting;
  }

  async #accept(row: AcceptRow): Promise<AcceptOutcome> {
    if (this.acceptError) throw this.acceptError;
    return this.acceptAnswer ?? this.store.accept(row);
  }

  async #schedule(row: ScheduleRow): Promise<ScheduleOutcome> {
    if (this.scheduleError) throw this.scheduleError;
    return this.scheduleAnswer ?? this.store.schedule(row);
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
            wanted === agentId
              ? { id: agentId, version: 7, requiredVariables: this.requiredVariables, conducted: this.conducted }
              : null,
          ),
        systemNumber: async () => this.systemNumber,
        rateDeck: async (currency) => createRateDeck({ currency, version: 1, rates: [rate] }),
        modelRateDeck: async (currency) => createModelRateDeck({ currency, version: 1, rates: this.modelRates }),
      },
      credentials: {
        find: async (wanted) =>
          this.credentials.find(({ provider, name }) => provider === wanted.provider && name === wanted.name) ?? null,
      },
      gate: {
        reserve: (input) => {
          this.reservationsAsked.push(input.reservationId);
          return this.#ask('reserve', () => this.reserveAnswer ?? this.gate.reserve(input));
        },
        release: (input) => this.#ask('release', () => this.gate.release(input)),
        loadAccount: (under, loaded) => this.#ask('loadAccount', () => this.gate.loadAccount(under, loaded)),
        close: async (stale) => {
          this.closed += 1;
          await this.gate.close(stale);
        },
      },
      limits: {
        limitsOf: (asked) => this.#ask('limitsOf', () => asked.map((id) => ({ ...limits, accountId: id }))),
      },
      store: {
        accept: (row) =>
          this.#ask(
            'accept',
            onceSent(row, (sent) => this.#accept(sent)),
          ),
        schedule: (row) =>
          this.#ask(
            'schedule',
            onceSent(row, (sent) => this.#schedule(sent)),
          ),
        countScheduled: (owner, limit) =>
          this.#ask('countScheduled', () => this.scheduledCalls ?? this.store.countScheduled(owner, limit)),
        cappedUntilMs: (owner, asked) => this.#ask('cappedUntilMs', () => this.store.cappedUntilMs(owner, asked)),
        voidReservation: (reservationId) =>
          this.#ask('voidReservation', () => this.store.voidReservation(reservationId)),
        findIdempotent: (question) =>
          this.#ask(
            'findIdempotent',
            onceSent(question, (sent) => this.store.findIdempotent(sent)),
          ),
      },
      reader: {
        find: (owner, callId) => this.#ask('find', () => this.store.find(owner, callId)),
      },
      queue: { add: (callIds) => this.#ask('add', () => this.queue.add(callIds)) },
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

/** A statement that was sent in time takes effect however late it runs. */
function onceSent<Question extends { readonly sendByMs: number }, Answer>(
  question: Question,
  run: (sent: Question) => Answer,
): () => Answer {
  const isLate = question.sendByMs < systemClock.monotonicMs();
  return () => run(isLate ? question : { ...question, sendByMs: Number.POSITIVE_INFINITY });
}

/** Null never resolves. */
function after(ms: number | null): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    if (ms !== null) setTimeout(resolve, ms);
  });
}
