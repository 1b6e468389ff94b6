import type { Micros } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import { NO_SPENDING, type Spending } from '../pricing.ts';
import { affordableHold, coverOf, grownHold, type CallPrice, type Cover } from './hold-growth.ts';
import type { EnlargeHoldOutcome } from './enlarge-hold.ts';

/** Enlarges the hold ahead of the talk. */
export interface CreditControl {
  /** The amount that both stores hold for the call. The charge must not exceed it. */
  holdMicros(): Micros;
  /** Models have spent more: plans again. */
  spent(): void;
  stop(): void;
}

export interface CreditControlInput {
  readonly price: CallPrice;
  readonly holdMicros: Micros;
  /** When the call was answered, by the monotonic clock. */
  readonly answeredAtMs: number;
  /** What the models of the call have spent by now; absent for a scripted call. */
  readonly spending?: (() => Omit<Spending, 'talkedMs'>) | undefined;
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
 * next increment would begin, so every second of talk is paid for. What models will spend is expected from what they
 * have spent: a hold that runs out earlier or later than expected is planned for again.
 */
export function createCreditControl(input: CreditControlInput): CreditControl {
  const { price, clock, logger } = input;
  let cover: Cover = coverOf(price, input.holdMicros, spendingNow());
  let nextTry: Timer | undefined;
  let runsOut: Timer | undefined;
  let askedAtMs: number | null = null;
  let failedAtMs: number | null = null;
  let stopped = false;

  function spendingNow(): Spending {
    if (!input.spending) return NO_SPENDING;
    return { ...input.spending(), talkedMs: clock.monotonicMs() - input.answeredAtMs };
  }

  const runsOutAtMs = () => input.answeredAtMs + cover.seconds * 1_000;

  function lookAgain(holdMicros = cover.holdMicros): void {
    cover = coverOf(price, holdMicros, spendingNow());
  }

  function plan(): void {
    nextTry?.cancel();
    runsOut?.cancel();
    if (stopped || cover.seconds >= price.maxDurationSeconds) return;
    const nowMs = clock.monotonicMs();
    // Spending may have overtaken the hold: what was said until now is paid for.
    const atMs = Math.max(runsOutAtMs(), nowMs);
    runsOut = clock.after(atMs - nowMs, () => runOut(atMs));
    const triesAtMs = nextTryAtMs(atMs, nowMs);
    if (askedAtMs === null && triesAtMs !== null) nextTry = clock.after(triesAtMs - nowMs, () => void grow());
  }

  function nextTryAtMs(atMs: number, nowMs: number): number | null {
    if (failedAtMs === null) return atMs - ENLARGE_AHEAD_MS;
    const lastMs = atMs - LAST_TRY_AHEAD_MS;
    return lastMs > nowMs ? Math.min(failedAtMs + RETRY_MS, lastMs) : null;
  }

  function runOut(atMs: number): void {
    // Models that were silent have spent less than expected.
    lookAgain();
    if (input.spending && isCovered()) return plan();
    if (input.spending && mayBeEnlarged()) return;
    stop();
    input.onExhausted(atMs);
  }

  const isCovered = () => cover.seconds >= price.maxDurationSeconds || runsOutAtMs() > clock.monotonicMs();

  /** One report of usage may be more than the hold had left: the account is asked before the call ends. */
  function mayBeEnlarged(): boolean {
    const nowMs = clock.monotonicMs();
    const hasJustFailed = failedAtMs !== null && nowMs - failedAtMs <= LAST_TRY_AHEAD_MS;
    if (askedAtMs === null && !hasJustFailed) void grow();
    const waitsUntilMs = (askedAtMs ?? -Infinity) + LAST_TRY_AHEAD_MS;
    if (waitsUntilMs <= nowMs) return false;
    runsOut?.cancel();
    runsOut = clock.after(waitsUntilMs - nowMs, () => runOut(clock.monotonicMs()));
    return true;
  }

  async function grow(): Promise<void> {
    askedAtMs = clock.monotonicMs();
    const spending = spendingNow();
    cover = coverOf(price, cover.holdMicros, spending);
    const wanted = grownHold(price, cover, spending);
    let outcome = await ask(wanted);
    if (outcome.kind === 'denied') {
      const affordable = affordableHold(price, cover, outcome.availableMicros, spending);
      if (affordable !== null && affordable < wanted) outcome = await ask(affordable);
    }
    askedAtMs = null;
    failedAtMs = outcome.kind === 'enlarged' ? null : clock.monotonicMs();
    plan();
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
      lookAgain(holdMicros);
      logger.debug(
        { event: 'call.hold_enlarged', holdMicros: String(holdMicros), coveredSeconds: cover.seconds },
        'hold enlarged',
      );
    }
    return outcome;
  }

  function stop(): void {
    stopped = true;
    nextTry?.cancel();
    runsOut?.cancel();
  }

  plan();
  return {
    holdMicros: () => cover.holdMicros,
    spent() {
      if (stopped) return;
      lookAgain();
      plan();
    },
    stop,
  };
}
