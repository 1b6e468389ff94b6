import {
  accountIdSchema,
  agentIdSchema,
  agentSettingsSchema,
  callIdSchema,
  e164Schema,
  micros,
  reservationIdSchema,
  type Micros,
} from '@outdial/contracts';
import { createLogger, invariant, systemClock } from '@outdial/kernel';
import { vi } from 'vitest';
import { createCallDriver, type CallDriver, type CallDriverDeps } from '../src/drive/call-driver.ts';
import type { DriveOutcome } from '../src/drive/drive-call.ts';
import type { ConversationEvent, ConversationResult, SecondMedia } from '../src/ports/conversation.ts';
import type { TransferRules } from '../src/ports/transfers.ts';
import type { TransferFailure } from '../src/ports/voice-agent.ts';
import type { StoredSettings } from '../src/ports/directory.ts';
import type { ReleaseInput } from '../src/ports/gate.ts';
import type { ClaimOutcome, Settlement } from '../src/ports/drive-store.ts';
import { firstHoldMicros } from '../src/pricing.ts';
import type { ConductedCall } from '../src/conducted-call.ts';
import type { Rate } from '../src/rate-deck.ts';
import type { LineDeps } from '../src/lines/acquire-lines.ts';
import type { TurnSignals } from '../src/ports/timeline.ts';
import type { TrunkDeps } from '../src/trunks/dial-attempts.ts';
import { limitsOf, snapshotOf, TOKEN } from '../src/testing/gate/gate-fixture.ts';
import { MemoryGate } from '../src/testing/gate/memory-gate.ts';
import { newCallId, newReservationId } from '../src/testing/ids.ts';
import { DriveStoreModel } from './drive-store-model.ts';
import { TransferStoreModel } from './transfer-store-model.ts';
import { FakeCarrier, type FakeLeg } from './fake-carrier.ts';

export const callId = callIdSchema.parse('0c000000-0000-4000-8000-000000000001');
export const accountId = accountIdSchema.parse('0a000000-0000-4000-8000-000000000001');
export const reservationId = reservationIdSchema.parse('0d000000-0000-4000-8000-000000000001');

const minuteRate: Rate = {
  prefix: '1',
  connectionFeeMicros: micros(0),
  pricePerMinuteMicros: micros(12_000),
  initialIncrementSeconds: 60,
  incrementSeconds: 60,
};

const USABLE: StoredSettings = {
  kind: 'usable',
  settings: agentSettingsSchema.parse({ name: 'Test', first_message: 'Hello' }),
};

export interface DriveWorldOptions {
  readonly rate?: Rate;
  readonly maxDurationSeconds?: number;
  readonly ringTimeoutSeconds?: number;
  /** The account's funds beside the first hold. */
  readonly fundsMicros?: Micros;
  readonly trunks?: TrunkDeps;
  readonly lines?: LineDeps;
  readonly settings?: StoredSettings;
  readonly conducted?: ConductedCall;
  readonly turnSignals?: TurnSignals;
  readonly onTurnMetrics?: CallDriverDeps['onTurnMetrics'];
  /** Receives the log's warnings. */
  readonly warnings?: string[];
}

interface FakeConversation {
  opened: number;
  answered: number;
  finished: number;
  readonly holds: boolean[];
  readonly transferFailures: TransferFailure[];
  readonly introduced: SecondMedia[];
  emit: (event: ConversationEvent) => void;
  result: ConversationResult;
}

/** A queued call. */
export function callFacts(options: DriveWorldOptions = {}): ConstructorParameters<typeof DriveStoreModel>[0] {
  const { maxDurationSeconds = 1_800, ringTimeoutSeconds = 30 } = options;
  return {
    id: callId,
    accountId,
    agentId: agentIdSchema.parse('0b000000-0000-4000-8000-000000000001'),
    agentVersion: 1,
    callerNumber: e164Schema.parse('+12025550199'),
    calleeNumber: e164Schema.parse('+12025550100'),
    currency: 'USD',
    rate: options.rate ?? minuteRate,
    reservationId,
    limits: { maxDurationSeconds, ringTimeoutSeconds },
    conducted: options.conducted ?? null,
    variables: {},
    metadata: {},
    reviewNote: null,
    webhookUrl: null,
    createdAtMs: systemClock.nowMs() - 10,
    queuedAtMs: systemClock.nowMs() - 10,
    settings: options.settings ?? USABLE,
    requestId: 'request-1',
    traceParent: null,
  };
}

/** One call and everything around it, in memory. Uses vitest's time: call `vi.useFakeTimers()` first. */
export class DriveWorld {
  readonly store: DriveStoreModel;
  readonly legs: TransferStoreModel;
  readonly carrier = new FakeCarrier();
  readonly deps: CallDriverDeps;
  readonly driver: CallDriver;
  readonly releases: ReleaseInput[] = [];
  readonly conversation: FakeConversation = {
    opened: 0,
    answered: 0,
    finished: 0,
    holds: [],
    transferFailures: [],
    introduced: [],
    emit: () => undefined,
    result: { transcript: null, summary: null, answeredBy: null, recordingKey: null },
  };
  gateCloses = 0;
  marks: 'free' | 'present' | 'away' = 'free';
  agentFails = false;
  repairable = true;
  /** Why the account may not have a number called by a transfer. */
  transferProblem: (number: string) => ReturnType<TransferRules['problemOf']> = () => Promise.resolve(null);
  readonly #trunks: TrunkDeps | undefined;
  readonly #lines: LineDeps | undefined;
  readonly #watching: Pick<CallDriverDeps, 'turnSignals' | 'onTurnMetrics'>;
  readonly #warnings: string[] | undefined;
  readonly #gate = new MemoryGate();
  readonly #fundsMicros: Micros;

  constructor(options: DriveWorldOptions = {}) {
    const rate = options.rate ?? minuteRate;
    const maxDurationSeconds = options.maxDurationSeconds ?? 1_800;
    const fundsMicros = options.fundsMicros ?? micros(1_000_000_000);
    this.store = new DriveStoreModel(
      callFacts({ ...options, rate, maxDurationSeconds }),
      firstHoldMicros(rate, maxDurationSeconds, options.conducted?.estimateMicrosPerMinute),
    );
    this.legs = new TransferStoreModel(this.store);
    this.#trunks = options.trunks;
    this.#lines = options.lines;
    const { turnSignals, onTurnMetrics } = options;
    this.#watching = { ...(turnSignals && { turnSignals }), ...(onTurnMetrics && { onTurnMetrics }) };
    this.#warnings = options.warnings;
    this.#fundsMicros = micros(fundsMicros + this.store.holdMicros);
    this.#openGate();
    this.deps = this.#deps();
    this.driver = createCallDriver(this.deps);
  }

  /** Another worker claims the call. */
  claim(leaseMs: number, writeAheadDial = false): Promise<ClaimOutcome> {
    return this.store.claim({ callId, workerId: 'another', leaseMs, writeAheadDial });
  }

  drive(): Promise<DriveOutcome> {
    return this.driver.drive(callId);
  }

  /** Starts driving and continues until the telephone rings at the far end. */
  async dial(): Promise<{ readonly leg: FakeLeg; readonly driving: Promise<DriveOutcome> }> {
    const driving = this.drive();
    await pass(0);
    return { leg: this.leg, driving };
  }

  async answer(): Promise<{ readonly leg: FakeLeg; readonly driving: Promise<DriveOutcome> }> {
    const dialled = await this.dial();
    dialled.leg.emit({ kind: 'ringing', sipCode: 180 });
    dialled.leg.emit({ kind: 'answered' });
    await pass(0);
    return dialled;
  }

  get leg(): FakeLeg {
    const leg = this.carrier.legs.at(-1);
    invariant(leg, 'nothing was dialed');
    return leg;
  }

  /** The only settlement. */
  get settlement(): Settlement {
    const [settlement, ...more] = this.store.settlements;
    invariant(settlement && more.length === 0, `settled ${this.store.settlements.length} times`);
    return settlement;
  }

  set gate(state: 'open' | 'closed' | 'away') {
    this.#gate.away = state === 'away';
    if (state === 'closed') this.#gate.model.close(TOKEN);
    if (state === 'open' && !this.#gate.model.openToken) this.#openGate();
  }

  /** From the call's row, as a rebuild does. */
  #openGate(): void {
    const { holdMicros } = this.store;
    const accounts = [limitsOf(accountId, { balanceMicros: this.#fundsMicros })];
    this.#gate.open(snapshotOf({ token: TOKEN, accounts, holds: [{ callId, accountId, reservationId, holdMicros }] }));
  }

  #deps(): CallDriverDeps {
    const { conversation } = this;
    return {
      store: this.store,
      carrier: this.carrier,
      clock: systemClock,
      logger: createLogger({
        name: 'test',
        level: this.#warnings ? 'warn' : 'silent',
        destination: { write: (line) => void this.#warnings?.push(JSON.parse(line).msg) },
      }),
      workerId: 'worker-1',
      ...(this.#trunks ? { trunks: this.#trunks } : {}),
      ...(this.#lines ? { lines: this.#lines } : {}),
      ...this.#watching,
      transfers: {
        problemOf: (_account, number) => this.transferProblem(number),
        rateOf: async (_account, number) => (await this.transferProblem(number)) ?? minuteRate,
      },
      secondLegs: {
        store: this.legs,
        newLegId: newCallId,
        newReservationId,
      },
      gate: {
        reserve: (input) => this.#gate.reserve(input),
        enlarge: (input) => this.#gate.enlarge(input),
        release: async (input) => {
          const outcome = await this.#gate.release(input);
          this.releases.push(input);
          return outcome;
        },
        close: async (token) => {
          this.gateCloses += 1;
          await this.#gate.close(token);
        },
      },
      marks: {
        mark: async () => {
          if (this.marks === 'away') throw new Error('Redis is away');
          return this.marks === 'free';
        },
      },
      recordings: {
        keyOf: (id) => `${id}.wav`,
        repair: async () => this.repairable,
      },
      conversations: {
        open: () => {
          if (this.agentFails) throw new Error('no voice');
          conversation.opened += 1;
          return {
            listen: (listener) => void (conversation.emit = listener),
            answered: () => void (conversation.answered += 1),
            setOnHold: (isOnHold) => void conversation.holds.push(isOnHold),
            transferFailed: (failure) => void conversation.transferFailures.push(failure),
            introduce: (second) => void conversation.introduced.push(second),
            finish: async () => {
              conversation.finished += 1;
              return conversation.result;
            },
          };
        },
      },
    };
  }
}

/** Lets time pass, and runs everything that falls due. */
export async function pass(durationMs: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(durationMs);
}
