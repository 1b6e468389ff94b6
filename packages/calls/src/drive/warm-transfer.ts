import type { E164 } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { Leg } from '../ports/carrier.ts';
import type { SecondMedia } from '../ports/conversation.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { TransferFailure } from '../ports/voice-agent.ts';
import { firstHoldMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';
import { monotonicNowMs, type CallTimes } from '../settle/call-times.ts';
import type { SecondLegReport } from '../settle/leg-settlement.ts';
import type { CallRecord } from './call-record.ts';
import type { TrackedLease } from './lease-renewer.ts';
import { SecondLeg, type SecondLegDeps } from './second-leg.ts';

export interface WarmTransferDeps extends Omit<SecondLegDeps, 'stores' | 'clock' | 'logger'> {
  /** Without them, there are no warm transfers. */
  readonly secondLegs?: SecondLegDeps['stores'];
  readonly clock: Clock;
}

export interface WarmTransferInput {
  readonly call: ClaimedCall;
  readonly logger: Logger;
  readonly record: Pick<CallRecord, 'inOrder' | 'recorded' | 'write'>;
  readonly times: CallTimes;
  readonly lease: () => Pick<TrackedLease, 'renewedAt'> | undefined;
  /** When the callee answered, by the monotonic clock. */
  readonly answeredAtMs: () => number | null;
  readonly isLeaving: () => boolean;
  readonly onAnswered: (second: SecondMedia) => void;
  /** The leg ended before the destination was connected. */
  readonly onFailed: (failure: TransferFailure) => void;
  /** The destination was connected, and is gone. */
  readonly onOver: (atMs: number) => void;
  /** The hold of the leg is exhausted, and the callee talks to the destination. */
  readonly onExhausted: (atMs: number) => void;
  readonly onFenced: () => void;
}

export interface WarmWish {
  readonly destination: string;
  readonly number: E164;
  readonly rate: Rate;
  readonly ringTimeoutSeconds: number;
}

/** The second legs of one call, one at a time. */
export class WarmTransfer {
  readonly #deps: WarmTransferDeps;
  readonly #input: WarmTransferInput;
  readonly #legs: SecondLeg[] = [];
  #current: SecondLeg | null = null;

  constructor(deps: WarmTransferDeps, input: WarmTransferInput) {
    this.#deps = deps;
    this.#input = input;
  }

  /** Calls the destination. A reason: nothing was sent. Never rejects. */
  async begin(wish: WarmWish): Promise<TransferFailure['reason'] | null> {
    const { secondLegs: stores, clock } = this.#deps;
    const { call, logger, record, times, isLeaving, onFenced } = this.#input;
    const lease = this.#input.lease();
    const maxDurationSeconds = this.#remainingSeconds();
    if (!stores || !lease || maxDurationSeconds < 1) return 'unavailable';
    const { destination, number, rate, ringTimeoutSeconds } = wish;
    const leg = {
      legId: stores.newLegId(),
      reservationId: stores.newReservationId(),
      destination,
      calleeNumber: number,
      rate,
      holdMicros: firstHoldMicros(rate, maxDurationSeconds),
      limits: { ringTimeoutSeconds, maxDurationSeconds },
    };
    let shortOfFunds = false;
    const second = new SecondLeg(
      { ...this.#deps, stores, clock, logger: logger.child({ legId: leg.legId }) },
      {
        call,
        leg,
        lease,
        record,
        times,
        isLeaving,
        onFenced,
        onAnswered: (answered: Leg) => this.#input.onAnswered({ legId: leg.legId, leg: answered }),
        onExhausted: (atMs) => {
          if (second.isConnected) return this.#input.onExhausted(atMs);
          shortOfFunds = true;
          second.hangUp(atMs);
        },
        onOver: (failure) => this.#onOver(second, shortOfFunds ? { ...failure, reason: 'no_funds' } : failure),
      },
    );
    this.#legs.push(second);
    this.#current = second;
    const reason = await second.begin();
    if (reason !== null && this.#current === second) this.#current = null;
    return reason;
  }

  /** The destination is up, and was connected. */
  get isConnected(): boolean {
    return this.#current?.isConnected ?? false;
  }

  /** The agent has introduced the callee: both hear each other. False: the destination is gone. */
  connected(): boolean {
    this.#current?.connected();
    return this.isConnected;
  }

  hangUp(atMs: number): void {
    for (const leg of this.#legs) leg.hangUp(atMs);
  }

  /** Resolves once no leg is up. */
  async gone(): Promise<void> {
    await Promise.all(this.#legs.map((leg) => leg.gone()));
  }

  reports(): readonly SecondLegReport[] {
    return this.#legs.flatMap((leg) => leg.report() ?? []);
  }

  #onOver(second: SecondLeg, failure: TransferFailure): void {
    if (this.#current === second) this.#current = null;
    if (second.isConnected) this.#input.onOver(monotonicNowMs(this.#deps.clock));
    else this.#input.onFailed(failure);
  }

  /** The second leg ends with the call at the latest. */
  #remainingSeconds(): number {
    const { call, answeredAtMs } = this.#input;
    const nowMs = monotonicNowMs(this.#deps.clock);
    const talkedMs = nowMs - (answeredAtMs() ?? nowMs);
    return call.limits.maxDurationSeconds - Math.floor(talkedMs / 1_000);
  }
}
