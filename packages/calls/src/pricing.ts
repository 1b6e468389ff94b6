import { micros, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Rate } from './rate-deck.ts';

/** The talk time that the first hold covers, beside the connection fee. */
const FIRST_HOLD_SECONDS = 120;

export interface CostItem {
  readonly product: 'connection' | 'talk_time' | 'adjustment';
  /** For a connection, its fee. For talk time, the price of one minute. For an adjustment, its amount. */
  readonly unitPriceMicros: Micros;
  /** Connections, seconds of talk time, or 1 for an adjustment. */
  readonly quantity: number;
  readonly costMicros: Micros;
}

export interface Charge {
  readonly billableSeconds: number;
  /** Never above the hold. */
  readonly costMicros: Micros;
}

/** The billed seconds of a talk: the initial increment, then whole increments. */
export function billableSeconds(rate: Rate, talkMs: number): number {
  invariant(talkMs >= 0, 'talk time is not negative');
  const seconds = Math.ceil(talkMs / 1_000);
  // An answered call is billed its initial increment even if it lasted less than a millisecond.
  if (seconds <= rate.initialIncrementSeconds) return rate.initialIncrementSeconds;
  const beyond = seconds - rate.initialIncrementSeconds;
  return rate.initialIncrementSeconds + Math.ceil(beyond / rate.incrementSeconds) * rate.incrementSeconds;
}

/** The price of the billed seconds, rounded up to a micro. */
function talkTimeMicros(rate: Rate, seconds: number): Micros {
  return micros((rate.pricePerMinuteMicros * BigInt(seconds) + 59n) / 60n);
}

/** Fee and talk time, before the limit of the hold. */
export function priceMicros(rate: Rate, talkSeconds: number): Micros {
  return micros(rate.connectionFeeMicros + talkTimeMicros(rate, billableSeconds(rate, talkSeconds * 1_000)));
}

/** The hold of a newly accepted call: the fee and the first two minutes, but not more than the longest call. */
export function firstHoldMicros(rate: Rate, maxDurationSeconds: number): Micros {
  return priceMicros(rate, Math.min(FIRST_HOLD_SECONDS, maxDurationSeconds));
}

/** The charge of a call. `talkMs` is null for a call that was never answered: it costs nothing. */
export function chargeFor(rate: Rate, talkMs: number | null, holdMicros: Micros): Charge {
  if (talkMs === null) return { billableSeconds: 0, costMicros: micros(0) };
  const seconds = billableSeconds(rate, talkMs);
  const fullMicros = rate.connectionFeeMicros + talkTimeMicros(rate, seconds);
  // A late hang-up must not cost more than the hold.
  return { billableSeconds: seconds, costMicros: micros(fullMicros < holdMicros ? fullMicros : holdMicros) };
}

/** The items of a charge, for display. They sum to the cost: an excess over the hold is shown as an adjustment. */
export function itemize(rate: Rate, charge: Charge): readonly CostItem[] {
  if (charge.billableSeconds === 0) return [];
  const items: CostItem[] = [];
  if (rate.connectionFeeMicros > 0n) {
    const feeMicros = rate.connectionFeeMicros;
    items.push({ product: 'connection', unitPriceMicros: feeMicros, quantity: 1, costMicros: feeMicros });
  }
  const talkMicros = talkTimeMicros(rate, charge.billableSeconds);
  const unitPriceMicros = rate.pricePerMinuteMicros;
  items.push({ product: 'talk_time', unitPriceMicros, quantity: charge.billableSeconds, costMicros: talkMicros });
  const excessMicros = charge.costMicros - rate.connectionFeeMicros - talkMicros;
  if (excessMicros !== 0n) {
    const adjustment = micros(excessMicros);
    items.push({ product: 'adjustment', unitPriceMicros: adjustment, quantity: 1, costMicros: adjustment });
  }
  return items;
}

/** The seconds of talk that a hold pays for in full, up to `limitSeconds`, in whole increments. */
export function coveredSeconds(rate: Rate, holdMicros: Micros, limitSeconds: number): number {
  if (priceMicros(rate, limitSeconds) <= holdMicros) return limitSeconds;
  let covered = 0;
  for (let seconds = rate.initialIncrementSeconds; seconds < limitSeconds; seconds += rate.incrementSeconds) {
    if (rate.connectionFeeMicros + talkTimeMicros(rate, seconds) > holdMicros) break;
    covered = seconds;
  }
  return covered;
}
