import { micros, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Rate } from './rate-deck.ts';

/** The talk time that the first hold covers beside the connection fee. */
const FIRST_HOLD_SECONDS = 120;

export interface CostItem {
  readonly product: 'connection' | 'talk_time' | 'adjustment';
  /** Of a connection: its fee. Of talk time: the price of one minute. Of an adjustment: its amount. */
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

/** Milliseconds of talk, rounded up to what is billed: the initial increment, then whole increments. */
export function billableSeconds(rate: Rate, talkMs: number): number {
  invariant(talkMs >= 0, 'talk time is not negative');
  const seconds = Math.ceil(talkMs / 1_000);
  // An answered call is billed its initial increment even if it was over within the first millisecond.
  if (seconds <= rate.initialIncrementSeconds) return rate.initialIncrementSeconds;
  const beyond = seconds - rate.initialIncrementSeconds;
  return rate.initialIncrementSeconds + Math.ceil(beyond / rate.incrementSeconds) * rate.incrementSeconds;
}

/** The price of that many billed seconds, rounded up to a micro. */
function talkTimeMicros(rate: Rate, seconds: number): Micros {
  return micros((rate.pricePerMinuteMicros * BigInt(seconds) + 59n) / 60n);
}

/** Fee and talk time, not yet bounded by any hold. */
export function priceMicros(rate: Rate, talkSeconds: number): Micros {
  return micros(rate.connectionFeeMicros + talkTimeMicros(rate, billableSeconds(rate, talkSeconds * 1_000)));
}

/** What is set aside when a call is accepted: the fee and the first two minutes, never beyond the longest call. */
export function firstHoldMicros(rate: Rate, maxDurationSeconds: number): Micros {
  return priceMicros(rate, Math.min(FIRST_HOLD_SECONDS, maxDurationSeconds));
}

/** The charge of a call. `talkMs` is null for one that was never answered: it costs nothing. */
export function chargeFor(rate: Rate, talkMs: number | null, holdMicros: Micros): Charge {
  if (talkMs === null) return { billableSeconds: 0, costMicros: micros(0) };
  const seconds = billableSeconds(rate, talkMs);
  const fullMicros = rate.connectionFeeMicros + talkTimeMicros(rate, seconds);
  // A late hang-up may not cost more than was set aside for it.
  return { billableSeconds: seconds, costMicros: micros(fullMicros < holdMicros ? fullMicros : holdMicros) };
}

/** The items of a charge, for the eye. They sum to the cost: what exceeded the hold is shown as an adjustment. */
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

/** The seconds of talk that a hold pays for in full, up to `limitSeconds`. Whole increments only. */
export function coveredSeconds(rate: Rate, holdMicros: Micros, limitSeconds: number): number {
  if (priceMicros(rate, limitSeconds) <= holdMicros) return limitSeconds;
  let covered = 0;
  for (let seconds = rate.initialIncrementSeconds; seconds < limitSeconds; seconds += rate.incrementSeconds) {
    if (rate.connectionFeeMicros + talkTimeMicros(rate, seconds) > holdMicros) break;
    covered = seconds;
  }
  return covered;
}
