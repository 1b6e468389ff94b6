import { micros, type Micros } from '@outdial/contracts';
import { coveredSeconds, priceMicros } from '../pricing.ts';
import type { Rate } from '../rate-deck.ts';

/** The talk time that one enlargement adds. */
const GROWTH_SECONDS = 120;

/** A hold and the talk that it pays for: whole increments, up to the longest call. */
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

/** The hold that covers two more minutes, but not more than the longest call. */
export function grownHold(price: CallPrice, cover: Cover): Micros {
  return priceMicros(price.rate, Math.min(cover.seconds + GROWTH_SECONDS, price.maxDurationSeconds));
}

/**
 * The largest hold that `availableMicros` more can pay for, if they do not suffice for `grownHold`. Null if they do not
 * pay for one increment: money in a hold that covers nothing would be withheld from other calls.
 */
export function affordableHold(price: CallPrice, cover: Cover, availableMicros: Micros): Micros | null {
  const affordable = coverOf(price, micros(cover.holdMicros + availableMicros));
  return affordable.seconds > cover.seconds ? priceMicros(price.rate, affordable.seconds) : null;
}
