import { micros, type Micros } from '@outdial/contracts';
import { coveredSeconds, priceMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';

/** The talk time by which a hold grows at once. */
const GROWTH_SECONDS = 120;

/** A hold and what it pays for: whole increments, up to the longest call. */
export interface Cover {
  readonly holdMicros: Micros;
  readonly seconds: number;
}

export interface CallPrice {
  readonly rate: Rate;
  readonly maxDurationSeconds: number;
}

export function coverOf(price: CallPrice, holdMicros: Micros): Cover {
  return { holdMicros, seconds: coveredSeconds(price.rate, holdMicros, price.maxDurationSeconds) };
}

/** The hold that covers two minutes more, never beyond the longest call. */
export function grownHold(price: CallPrice, cover: Cover): Micros {
  return priceMicros(price.rate, Math.min(cover.seconds + GROWTH_SECONDS, price.maxDurationSeconds));
}

/**
 * The largest hold that `availableMicros` more pay for, where they do not pay for all that `grownHold` asks; null if
 * they do not pay for one increment: money in a hold that covers nothing would be kept from other calls.
 */
export function affordableHold(price: CallPrice, cover: Cover, availableMicros: Micros): Micros | null {
  const affordable = coverOf(price, micros(cover.holdMicros + availableMicros));
  return affordable.seconds > cover.seconds ? priceMicros(price.rate, affordable.seconds) : null;
}
