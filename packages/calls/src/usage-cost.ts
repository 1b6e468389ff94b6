import { micros, USAGE_UNITS, type Micros, type UsageEntry } from '@outdial/contracts';
import type { ConductedCall } from './conducted-call.ts';

/** A quantity with its price and its cost. */
export interface PricedUsage extends UsageEntry {
  /** On the account's own credential alone: it costs nothing here. */
  readonly isOwn: boolean;
  readonly priceMicrosPerMillion: Micros;
  /** Rounded up to a micro. */
  readonly costMicros: Micros;
}

/** What models have used by now, and what it costs in all. */
export interface UsageReport {
  readonly entries: readonly UsageEntry[];
  readonly costMicros: Micros;
}

type Prices = Pick<ConductedCall, 'models' | 'rates'>;

/** Quantities are exact to a millionth: sums of seconds have no rounding error of floating point. */
const PARTS_PER_UNIT = 1_000_000;
const PARTS_PER_MILLION_UNITS = 1_000_000_000_000n;

/**
 * Prices each entry. A unit without a pinned rate costs nothing. The result is in the order of the call's models and of
 * the units: usage is stored in the order in which models first reported it, which differs from call to call.
 */
export function priceUsage(prices: Prices, usage: readonly UsageEntry[]): readonly PricedUsage[] {
  return inOrder(prices, usage).map((entry) => {
    const isOwn = isOnOwnCredential(prices, entry);
    const rate = prices.rates.find((one) => isOfModel(one, entry) && one.unit === entry.unit);
    const priceMicrosPerMillion = isOwn ? micros(0) : (rate?.priceMicrosPerMillion ?? micros(0));
    return { ...entry, isOwn, priceMicrosPerMillion, costMicros: costOf(entry.quantity, priceMicrosPerMillion) };
  });
}

function inOrder({ models }: Prices, usage: readonly UsageEntry[]): readonly UsageEntry[] {
  const rankOf = (entry: UsageEntry) => {
    const index = models.findIndex((model) => isOfModel(model, entry));
    return (index === -1 ? models.length : index) * USAGE_UNITS.length + USAGE_UNITS.indexOf(entry.unit);
  };
  return usage.toSorted((one, other) => rankOf(one) - rankOf(other));
}

export function usageMicros(prices: Prices, usage: readonly UsageEntry[]): Micros {
  return micros(priceUsage(prices, usage).reduce((sum, { costMicros }) => sum + costMicros, 0n));
}

/** The sum of two quantities of one unit. */
export function addQuantities(one: number, other: number): number {
  return Math.round((one + other) * PARTS_PER_UNIT) / PARTS_PER_UNIT;
}

function costOf(quantity: number, priceMicrosPerMillion: Micros): Micros {
  const parts = BigInt(Math.round(quantity * PARTS_PER_UNIT));
  return micros((parts * priceMicrosPerMillion + PARTS_PER_MILLION_UNITS - 1n) / PARTS_PER_MILLION_UNITS);
}

/**
 * A model with two credentials is paid for: an entry does not say which of them was used, and a broken key of the account
 * before the operator's must not make the operator's free.
 */
function isOnOwnCredential({ models }: Prices, entry: UsageEntry): boolean {
  const used = models.filter((model) => isOfModel(model, entry));
  return used.length > 0 && used.every(({ isOwn }) => isOwn);
}

type OfModel = Pick<UsageEntry, 'component' | 'provider' | 'model'>;

function isOfModel(one: OfModel, other: OfModel): boolean {
  return one.component === other.component && one.provider === other.provider && one.model === other.model;
}
