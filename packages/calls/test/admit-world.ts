import { setImmediate } from 'node:timers/promises';
import { micros, type AccountId, type CallId, type E164 } from '@outdial/contracts';
import { createLogger, invariant } from '@outdial/kernel';
import { account as profile, agentId, number, rate } from './accept-world.ts';
import { SteppedClock } from './stepped-clock.ts';
import type { Call } from '../src/call.ts';
import { createModelRateDeck } from '../src/model-rate-deck.ts';
import type { AskedSchedule, ScheduleRow } from '../src/ports/accept-store.ts';
import type { AccountProfile, UsableAgent } from '../src/ports/directory.ts';
import type { AccountLimits, ReserveOutcome } from '../src/ports/gate.ts';
import type { AdmissionObserver } from '../src/ports/observer.ts';
import type { AdmitOutcome, ScheduleStore } from '../src/ports/schedule-store.ts';
import type { TrunkAvailability } from '../src/ports/trunks.ts';
import { createRateDeck } from '../src/rate-deck.ts';
import { createAdmitDue, type AdmitDue, type AdmitDueDeps } from '../src/schedule/admit-due.ts';
import { scheduleRow } from '../src/testing/accept/accept-row.ts';
import { MemoryAcceptStore } from '../src/testing/accept/memory-accept-store.ts';
import { limitsOf, snapshotOf, TOKEN } from '../src/testing/gate/gate-fixture.ts';
import { MemoryGate } from '../src/testing/gate/memory-gate.ts';
import { newAccountId, newReservationId } from '../src/testing/ids.ts';
import { MemoryLineDirectory } from '../src/testing/lines/memory-line-directory.ts';
import { MemoryLineGate } from '../src/testing/lines/memory-line-gate.ts';
import { MemoryCallQueue } from '../src/testing/queue/memory-call-queue.ts';
import { MemoryScheduleStore } from '../src/testing/schedule/memory-schedule-store.ts';

export type Asked = keyof ScheduleStore | 'findAccount' | 'reserve' | 'voidReservation' | 'cappedUntilMs';

/** `lost`: it acts, and its answer never comes. `late`: it acts after that many milliseconds, and answers then. */
export type Fault = 'hangs' | 'rejects' | 'lost' | { readonly lateMs: number };

const HOUR_MS = 3_600_000;
const logger = createLogger({ name: 'test', level: 'silent' });

/** Accounts with scheduled calls, one worker, and stores in memory that fail on demand. Its time is stepped. */
export class AdmitWorld {
  readonly clock = new SteppedClock();
  readonly gate = new MemoryGate();
  readonly queue = new MemoryCallQueue();
  readonly accounts = new Map<AccountId, AccountProfile>();
  readonly accepts: MemoryAcceptStore;
  readonly store: MemoryScheduleStore;
  readonly faults = new Map<Asked, Fault>();
  readonly asked: Asked[] = [];
  /** What was asked of the directory about the agent, as `account agent version`. */
  readonly versionsAsked: string[] = [];
  readonly seen: string[] = [];
  readonly lateMs: number[] = [];
  readonly putBack: string[] = [];
  readonly postponed: { readonly waitingFor: string; readonly dueAtMs: number }[] = [];
  agent: UsableAgent | null = { id: agentId, version: 1, requiredVariables: [], conducted: null };
  /** Other versions of the agent. */
  readonly laterAgents = new Map<number, UsableAgent>();
  /** Of the account's own, for every provider. */
  hasCredential = false;
  systemNumber: E164 | null = null;
  rates = [rate];
  availability: TrunkAvailability | null = null;
  /** Used instead of the model's own answers, the next one first. */
  readonly reserveAnswers: ReserveOutcome[] = [];
  readonly admitAnswers: (AdmitOutcome | Error)[] = [];
  rebuildsRequested = 0;
  readonly lineGate = new MemoryLineGate(() => this.clock.monotonicMs());
  readonly lineDirectory = new MemoryLineDirectory();
  readonly stopping = new AbortController();
  readonly #owner = newAccountId();
  /** How many slots Postgres knows of: the gate may know better. */
  slots = 1_000;
  readonly admitDue: AdmitDue;
  readonly #limits: readonly AccountLimits[];

  /** How often a turn left calls for which there are slots. */
  moreDue = 0;

  constructor({ accounts = 1, capacity = 1_000, balanceMicros = 1_000_000_000 } = {}) {
    const ids = [this.#owner, ...Array.from({ length: accounts - 1 }, newAccountId)];
    for (const id of ids)
      this.accounts.set(id, { ...profile, id, outboundNumbers: [number('+12025550100'), number('+12025550101')] });
    this.accepts = new MemoryAcceptStore({ token: TOKEN, accountIds: ids, clock: this.clock });
    this.store = new MemoryScheduleStore({
      accepts: this.accepts,
      capacityOf: () => this.slots,
      clock: this.clock,
    });
    this.#limits = ids.map((id) => limitsOf(id, { capacity, balanceMicros: micros(balanceMicros) }));
    this.gate.open(snapshotOf({ token: TOKEN, accounts: this.#limits }));
    this.admitDue = this.anotherWorker();
  }

  get accountIds(): readonly AccountId[] {
    return [...this.accounts.keys()];
  }

  account(nth: number): AccountId {
    const accountId = this.accountIds[nth];
    invariant(accountId !== undefined, 'there is such an account');
    return accountId;
  }

  get holds(): readonly CallId[] {
    return this.gate.model.openToken ? [...this.gate.model.holds.keys()] : [];
  }

  get jobs(): readonly CallId[] {
    return [...this.queue.jobs.keys()];
  }

  change(changes: Partial<AccountProfile>): void {
    for (const [id, known] of this.accounts) this.accounts.set(id, { ...known, ...changes });
  }

  /** A call that was due `lateMs` ago. */
  async schedule(
    lateMs = 0,
    { schedule: when, ...changes }: Partial<Omit<ScheduleRow, 'schedule'>> & { schedule?: Partial<AskedSchedule> } = {},
  ): Promise<CallId> {
    const nowMs = this.clock.nowMs();
    const schedule = { scheduledForMs: nowMs - lateMs, giveUpAtMs: nowMs + HOUR_MS, retry: null, ...when };
    const row = scheduleRow({ accountId: this.#owner }, { ...changes, schedule });
    const outcome = await this.accepts.schedule(row);
    invariant(outcome.kind === 'scheduled', 'the call is scheduled');
    return row.callId;
  }

  async scheduleMany(count: number, changes: Partial<ScheduleRow> = {}): Promise<readonly CallId[]> {
    const ids: CallId[] = [];
    // Each is due a little after the one before.
    for (let nth = 0; nth < count; nth += 1) ids.push(await this.schedule(count - nth, changes));
    return ids;
  }

  call(callId: CallId): Call {
    const call = this.accepts.calls.get(callId);
    invariant(call, 'the call is stored');
    return call;
  }

  /** What became of each call: its status, what it waits for, or why it ended. */
  stateOf(callId: CallId): string {
    const call = this.call(callId);
    if (call.status === 'scheduled') return `scheduled ${call.waitingFor}`;
    return call.status === 'ended' ? `ended ${call.endedReason}` : call.status;
  }

  /** The call gives its slot back. */
  async endCall(callId: CallId): Promise<void> {
    const hold = this.gate.model.holds.get(callId);
    if (hold) await this.gate.release({ callId, ...hold });
  }

  /** A worker has claimed the call. */
  async dial(callId: CallId): Promise<void> {
    const call = this.call(callId);
    invariant(call.status === 'queued', 'the call is queued');
    this.accepts.calls.set(callId, { ...call, status: 'dialing', startedAtMs: this.clock.nowMs() });
  }

  count(question: Asked): number {
    return this.asked.filter((each) => each === question).length;
  }

  anotherWorker(): AdmitDue {
    const admitDue = createAdmitDue(this.#deps());
    admitDue.onMoreDue(() => (this.moreDue += 1));
    return admitDue;
  }

  /** One round, with the turns that it begins, and the calls that it finds expired. */
  async round(): Promise<void> {
    await this.admitDue.round(this.stopping.signal);
    await this.admitDue.idle();
    await this.admitDue.expire(this.stopping.signal);
  }

  /** One round, while time passes until its turns are over. */
  async roundWhile(durationMs: number): Promise<void> {
    const round = this.round();
    await this.pass(durationMs);
    await round;
  }

  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 100) {
      // Long enough for every promise that is ready, and whatever follows from it.
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
      await this.clock.turn(Math.min(100, durationMs - passedMs));
    }
  }

  async #ask<Answer>(question: Asked, act: () => Promise<Answer>): Promise<Answer> {
    this.asked.push(question);
    const fault = this.faults.get(question);
    if (fault === 'rejects') throw new Error(`${question} failed`);
    if (fault === 'hangs') return never();
    if (typeof fault === 'object') await new Promise<void>((resolve) => this.clock.after(fault.lateMs, resolve));
    const answer = await act();
    if (fault === 'lost') throw new Error(`the answer of ${question} was lost`);
    return answer;
  }

  /** Every question to the schedule store can fail. */
  #store(): ScheduleStore {
    const { store } = this;
    return {
      beginTurns: (input) => this.#ask('beginTurns', () => store.beginTurns(input)),
      takeDue: (input) => this.#ask('takeDue', () => store.takeDue(input)),
      stock: (input) => this.#ask('stock', () => store.stock(input)),
      admit: (row) =>
        this.#ask('admit', async () => {
          const answer = this.admitAnswers.shift();
          if (answer instanceof Error) throw answer;
          return answer ?? store.admit(row);
        }),
      putBack: (input) => {
        this.putBack.push(`${input.calls.length} ${input.waitingFor}`);
        return this.#ask('putBack', () => store.putBack(input));
      },
      postpone: (input) => {
        this.postponed.push({ waitingFor: input.waitingFor, dueAtMs: input.dueAtMs });
        return this.#ask('postpone', () => store.postpone(input));
      },
      refuse: (input) => {
        this.seen.push(input.code);
        return this.#ask('refuse', () => store.refuse(input));
      },
      endTurn: (input) => this.#ask('endTurn', () => store.endTurn(input)),
      endExpired: (input) => this.#ask('endExpired', () => store.endExpired(input)),
      mendTurns: () => store.mendTurns(),
    };
  }

  #observer(): AdmissionObserver {
    return {
      admission: (outcome) => this.seen.push(outcome),
      late: (ms) => this.lateMs.push(ms),
      ended: (reason, count) => this.seen.push(`${count} ${reason}`),
    };
  }

  #deps(): AdmitDueDeps {
    return {
      clock: this.clock,
      logger,
      workerId: 'worker-1',
      lines: { gate: this.lineGate, directory: this.lineDirectory },
      store: this.#store(),
      observer: this.#observer(),
      readTrunkAvailability: async () => this.availability,
      newReservationId,
      requestRebuild: () => (this.rebuildsRequested += 1),
      limits: { limitsOf: async (ids) => this.#limits.filter(({ accountId }) => ids.includes(accountId)) },
      acceptStore: {
        voidReservation: (id) => this.#ask('voidReservation', () => this.accepts.voidReservation(id)),
        cappedUntilMs: (id, number) => this.#ask('cappedUntilMs', () => this.accepts.cappedUntilMs(id, number)),
      },
      queue: this.queue,
      gate: {
        reserve: (input) =>
          this.#ask('reserve', async () => this.reserveAnswers.shift() ?? (await this.gate.reserve(input))),
        release: (input) => this.gate.release(input),
        loadAccount: (token, loaded) => this.gate.loadAccount(token, loaded),
        close: (token) => this.gate.close(token),
      },
      credentials: {
        find: async ({ accountId }) =>
          this.hasCredential ? { id: '00000000-0000-4000-8000-00000000000c', accountId } : null,
      },
      directory: {
        findAccount: (id) => this.#ask('findAccount', async () => this.accounts.get(id) ?? null),
        findAgentVersion: async (_account, agent, version) => {
          this.versionsAsked.push(`${agent} ${version}`);
          return this.laterAgents.get(version) ?? this.agent;
        },
        systemNumber: async () => this.systemNumber,
        rateDeck: async (currency) => createRateDeck({ currency, version: 1, rates: this.rates }),
        modelRateDeck: async (currency) => createModelRateDeck({ currency, version: 1, rates: [] }),
      },
    };
  }
}

function never<Answer>(): Promise<Answer> {
  return new Promise(() => undefined);
}
