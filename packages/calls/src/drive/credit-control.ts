import type { Micros } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import { affordableHold, coverOf, grownHold, type CallPrice, type Cover } from './hold-growth.ts';
import type { EnlargeHoldOutcome } from './enlarge-hold.ts';

/** Enlarges the hold ahead of the talk. */
export interface CreditControl {
  /** The amount that both stores hold for the call. The charge must not exceed it. */
  holdMicros(): Micros;
  stop(): void;
}

export interface CreditControlInput {
  readonly price: CallPrice;
  readonly holdMicros: Micros;
  /** When the call was answered, by the monotonic clock. */
  readonly answeredAtMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rejects when a store is away. */
  readonly enlarge: (holdMicros: Micros) => Promise<EnlargeHoldOutcome>;
  /** The hold is exhausted at that moment of the monotonic clock, and could not be enlarged. */
  readonly onExhausted: (atMs: number) => void;
  readonly onFenced: () => void;
}

/** How long before the hold runs out it is enlarged. */
const ENLARGE_AHEAD_MS = 60_000;

/** Between two tries: a top-up, or the end of another call, may bring the money. */
const RETRY_MS = 5_000;

/** The last try is this long before the hold runs out, so that its result can still be used. */
const LAST_TRY_AHEAD_MS = 1_000;

/**
 * Enlarges the hold in time, and reports when it is exhausted. A hold pays for whole increments: it runs out where the
 * next increment would begin, so every second of talk is paid for.
 */
export function createCreditControl(input: CreditControlInput): CreditControl {
  const { price, clock, logger } = input;
  let cover: Cover = coverOf(price, input.holdMicros);
  let nextTry: Timer | undefined;
  let runsOut: Timer | undefined;
  let stopped = false;

  const runsOutAtMs = () => input.answeredAtMs + cover.seconds * 1_000;

  function plan(): void {
    runsOut?.cancel();
    if (cover.seconds >= price.maxDurationSeconds) return;
    const nowMs = clock.monotonicMs();
    const atMs = runsOutAtMs();
    runsOut = clock.after(atMs - nowMs, () => {
      stop();
      input.onExhausted(atMs);
    });
    tryAfter(atMs - ENLARGE_AHEAD_MS - nowMs);
  }

  function tryAfter(delayMs: number): void {
    nextTry?.cancel();
    nextTry = clock.after(delayMs, () => void grow());
  }

  function tryAgain(): void {
    const leftMs = runsOutAtMs() - LAST_TRY_AHEAD_MS - clock.monotonicMs();
    if (leftMs > 0) tryAfter(Math.min(RETRY_MS, leftMs));
  }

  async function grow(): Promise<void> {
    const wanted = grownHold(price, cover);
    let outcome = await ask(wanted);
    if (outcome.kind === 'denied') {
      const affordable = affordableHold(price, cover, outcome.availableMicros);
      if (affordable !== null && affordable < wanted) outcome = await ask(affordable);
    }
    if (!stopped && outcome.kind !== 'enlarged') tryAgain();
  }

  async function ask(holdMicros: Micros): Promise<EnlargeHoldOutcome> {
    let outcome: EnlargeHoldOutcome;
    try {
      outcome = await input.enlarge(holdMicros);
    } catch (error) {
      logger.debug({ event: 'call.hold_not_enlarged', err: error }, 'hold not enlarged');
      return { kind: 'not_now' };
    }
    // Too late: the call has been hung up, and its charge may already be stored.
    if (stopped) return outcome;
    if (outcome.kind === 'fenced') input.onFenced();
    if (outcome.kind === 'enlarged') {
      cover = coverOf(price, holdMicros);
      logger.debug(
        { event: 'call.hold_enlarged', holdMicros: String(holdMicros), coveredSeconds: cover.seconds },
        'hold enlarged',
      );
      plan();
    }
    return outcome;
  }

  function stop(): void {
    stopped = true;
    nextTry?.cancel();
    runsOut?.cancel();
  }

  plan();
  return { holdMicros: () => cover.holdMicros, stop };
}
