import type { PinnedModel, PinnedRate } from '@outdial/calls';
import { micros } from '@outdial/contracts';

/** A rate as JSON: the price stays below 2^53. */
export interface StoredRate extends Omit<PinnedRate, 'priceMicrosPerMillion'> {
  readonly priceMicrosPerMillion: number;
}

export interface PinnedRow {
  readonly models: readonly PinnedModel[];
  readonly rates: readonly StoredRate[];
}

/** What `model_calls` keeps of the models and prices that a call was accepted with. */
export function readPinned({ models, rates }: PinnedRow) {
  return {
    models,
    rates: rates.map((rate) => ({ ...rate, priceMicrosPerMillion: micros(rate.priceMicrosPerMillion) })),
  };
}
