import type { ModelRate } from '@outdial/calls';
import { micros, microsToDecimal, type PricedModelBody } from '@outdial/contracts';

/** @param rates all units of one model. Empty without any. */
export function presentModel(rates: readonly ModelRate[]): readonly PricedModelBody[] {
  const [first] = rates;
  if (first === undefined) return [];
  const { component, provider, model } = first;
  const estimate = rates.reduce((sum, { estimateMicrosPerMinute }) => sum + estimateMicrosPerMinute, 0n);
  return [
    {
      component,
      provider,
      model,
      prices: rates.map(({ unit, priceMicrosPerMillion }) => ({
        unit,
        unit_price: microsToDecimal(priceMicrosPerMillion),
      })),
      estimate_per_minute: microsToDecimal(micros(estimate)),
    },
  ];
}
