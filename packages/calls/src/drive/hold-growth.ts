import { micros, type Micros } from '@outdial/contracts';
import { coveredSeconds, neededMicros, NO_SPENDING, type Spending } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';

/** The talk time that one enlargement adds. */
const GROWTH_SECONDS = 120;

/** A hold and the talk that it pays for, up to the longest call. */
export interface Cover {
  readonly holdMicros: Micros;
  readonly seconds: number;
}

export interface CallPrice {
  readonly rate: Rate;
  readonly maxDurationSeconds: number;
}

export function coverOf(price: CallPrice, holdMicros: Micros, spending: Spending = NO_SPENDING): Cover {
  return { holdMicros, seconds: coveredSeconds(price.rate, holdMicros, price.maxDurationSeconds, spending) };
}

/** The hold that covers two more minutes, but not more than the longest call. */
export function grownHold(price: CallPrice, cover: Cover, spending: Spending = NO_SPENDING): Micros {
  // Spending may have overtaken the cover.
  const fromSeconds = Math.max(cover.seconds, Math.ceil(spending.talkedMs / 1_000));
  return neededMicros(price.rate, Math.min(fromSeconds + GROWTH_SECONDS, price.maxDurationSeconds), spending);
}

/**
 * The largest hold that `availableMicros` more can pay for, if they do not suffice for `grownHold`. Null if they do not
 * pay for one increment: money in a hold that covers nothing would be withheld from other calls.
 */
export function affordableHold(
  price: CallPrice,
  cover: Cover,
  availableMicros: Micros,
  spending: Spending = NO_SPENDING,
): Micros | null {
  const affordable = coverOf(price, micros(cover.holdMicros + availableMicros), spending);
  return affordable.seconds > cover.seconds ? neededMicros(price.rate, affordable.seconds, spending) : null;
}
