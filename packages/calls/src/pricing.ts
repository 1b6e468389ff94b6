import { micros, type Component, type Micros, type Provider, type UsageUnit } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Rate } from './rate-deck.ts';
import type { PricedUsage } from './usage-cost.ts';

/** The talk time that the first hold covers, beside the connection fee. */
const FIRST_HOLD_SECONDS = 120;

export interface TelephonyCostItem {
  /** `transfer_…`: of the second leg of a warm transfer. */
  readonly product: 'connection' | 'talk_time' | 'transfer_connection' | 'transfer_talk_time' | 'adjustment';
  /** For a connection, its fee. For talk time, the price of one minute. For an adjustment, its amount. */
  readonly unitPriceMicros: Micros;
  /** Connections, seconds of talk time, or 1 for an adjustment. */
  readonly quantity: number;
  readonly costMicros: Micros;
}

/** What of a leg is billed. */
export interface BilledLeg {
  readonly rate: Rate;
  readonly billableSeconds: number;
}

/** What one model used of one unit. */
export interface ModelCostItem {
  readonly product: Component;
  readonly provider: Provider;
  readonly model: string;
  readonly unit: UsageUnit;
  /** The price of a million units. 0 on the account's own credential. */
  readonly unitPriceMicros: Micros;
  /** In units. */
  readonly quantity: number;
  readonly costMicros: Micros;
}

export type CostItem = TelephonyCostItem | ModelCostItem;

/** What models have spent of a hold at a moment of the talk, and how fast they spend from then on. */
export interface Spending {
  readonly spentMicros: Micros;
  readonly microsPerMinute: Micros;
  /** From the answer to the moment. */
  readonly talkedMs: number;
}

export const NO_SPENDING: Spending = { spentMicros: micros(0), microsPerMinute: micros(0), talkedMs: 0 };

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

/** What the first `talkSeconds` cost in all: telephony, what models have spent, and what they will spend by then. */
export function neededMicros(rate: Rate, talkSeconds: number, spending: Spending): Micros {
  const { spentMicros, microsPerMinute, talkedMs } = spending;
  const aheadMs = BigInt(Math.max(0, Math.ceil(talkSeconds * 1_000 - talkedMs)));
  const expected = (aheadMs * microsPerMinute + 59_999n) / 60_000n;
  return micros(priceMicros(rate, talkSeconds) + spentMicros + expected);
}

/** The hold of a newly accepted call: the fee and the first two minutes, but not more than the longest call. */
export function firstHoldMicros(
  rate: Rate,
  maxDurationSeconds: number,
  estimateMicrosPerMinute: Micros = micros(0),
): Micros {
  const seconds = Math.min(FIRST_HOLD_SECONDS, maxDurationSeconds);
  return neededMicros(rate, seconds, { ...NO_SPENDING, microsPerMinute: estimateMicrosPerMinute });
}

/** The charge of a call. `talkMs` is null for a call that was never answered: it costs nothing, whatever models used. */
export function chargeFor(
  rate: Rate,
  talkMs: number | null,
  holdMicros: Micros,
  usageMicros: Micros = micros(0),
): Charge {
  if (talkMs === null) return { billableSeconds: 0, costMicros: micros(0) };
  const seconds = billableSeconds(rate, talkMs);
  const fullMicros = rate.connectionFeeMicros + talkTimeMicros(rate, seconds) + usageMicros;
  // A late hang-up, or usage that comes late, must not cost more than the hold.
  return { billableSeconds: seconds, costMicros: micros(fullMicros < holdMicros ? fullMicros : holdMicros) };
}

/** The items of a charge, for display. They sum to the cost: an excess over the hold is shown as an adjustment. */
export function itemize(
  rate: Rate,
  charge: Charge,
  usage: readonly PricedUsage[] = [],
  legs: readonly BilledLeg[] = [],
): readonly CostItem[] {
  if (charge.billableSeconds === 0) return [];
  const items: CostItem[] = [...legItems({ rate, billableSeconds: charge.billableSeconds }, FIRST_LEG)];
  for (const leg of legs) items.push(...legItems(leg, SECOND_LEG));
  items.push(...usage.map(modelItem));
  const excessMicros = charge.costMicros - items.reduce((sum, { costMicros }) => sum + costMicros, 0n);
  if (excessMicros !== 0n) {
    const adjustment = micros(excessMicros);
    items.push({ product: 'adjustment', unitPriceMicros: adjustment, quantity: 1, costMicros: adjustment });
  }
  return items;
}

const FIRST_LEG = { fee: 'connection', talk: 'talk_time' } as const;
const SECOND_LEG = { fee: 'transfer_connection', talk: 'transfer_talk_time' } as const;

function legItems(
  { rate, billableSeconds: seconds }: BilledLeg,
  { fee, talk }: typeof FIRST_LEG | typeof SECOND_LEG,
): readonly TelephonyCostItem[] {
  if (seconds === 0) return [];
  const { connectionFeeMicros: feeMicros, pricePerMinuteMicros: unitPriceMicros } = rate;
  const talked = { unitPriceMicros, quantity: seconds, costMicros: talkTimeMicros(rate, seconds) };
  const connected = { unitPriceMicros: feeMicros, quantity: 1, costMicros: feeMicros };
  return [...(feeMicros > 0n ? [{ product: fee, ...connected }] : []), { product: talk, ...talked }];
}

function modelItem(used: PricedUsage): ModelCostItem {
  const { component, provider, model, unit, quantity, priceMicrosPerMillion, costMicros } = used;
  return { product: component, provider, model, unit, unitPriceMicros: priceMicrosPerMillion, quantity, costMicros };
}

/** The seconds of talk that a hold pays for in full, up to `limitSeconds`. Without spending, in whole increments. */
export function coveredSeconds(
  rate: Rate,
  holdMicros: Micros,
  limitSeconds: number,
  spending: Spending = NO_SPENDING,
): number {
  const isCovered = (seconds: number) => neededMicros(rate, seconds, spending) <= holdMicros;
  if (isCovered(limitSeconds)) return limitSeconds;
  // What is needed never falls with time: the last covered second lies between these two.
  let [covered, uncovered] = [0, limitSeconds];
  while (uncovered - covered > 1) {
    const middle = Math.floor((covered + uncovered) / 2);
    if (isCovered(middle)) covered = middle;
    else uncovered = middle;
  }
  return covered;
}
