import { unitsOf, type Component, type Micros, type Provider, type UsageUnit } from '@outdial/contracts';

/** The price of one unit of the models that a pattern names. */
export interface ModelRate {
  readonly component: Component;
  readonly provider: Provider;
  /** A model, or the beginning of models before a `*`. */
  readonly model: string;
  readonly unit: UsageUnit;
  readonly priceMicrosPerMillion: Micros;
  /** What a minute of a call is expected to cost in this unit. The units of a model add up. */
  readonly estimateMicrosPerMinute: Micros;
}

export type RatedModel = Pick<ModelRate, 'component' | 'provider' | 'model'>;

/** The prices of models in one currency. */
export interface ModelRateDeck {
  readonly currency: string;
  /** 0 for a currency without a deck. */
  readonly version: number;
  /** The rates of each model or pattern, in no order. */
  readonly models: readonly (readonly ModelRate[])[];
  /** The rates of the model's own name, else of the longest pattern that matches it. Empty if no pattern matches. */
  find(model: RatedModel): readonly ModelRate[];
}

export function createModelRateDeck(input: {
  readonly currency: string;
  readonly version: number;
  readonly rates: readonly ModelRate[];
}): ModelRateDeck {
  const byPattern = new Map<string, ModelRate[]>();
  for (const rate of input.rates) {
    // Stored before imports rejected it: no usage has this unit, so the model would be free.
    if (!unitsOf(rate.component, rate.provider).includes(rate.unit)) continue;
    const units = byPattern.get(keyOf(rate));
    if (units) units.push(rate);
    else byPattern.set(keyOf(rate), [rate]);
  }
  return {
    currency: input.currency,
    version: input.version,
    models: [...byPattern.values()],
    find(model) {
      const named = byPattern.get(keyOf(model));
      if (named) return named;
      for (let length = model.model.length; length >= 0; length -= 1) {
        const matching = byPattern.get(keyOf({ ...model, model: `${model.model.slice(0, length)}*` }));
        if (matching) return matching;
      }
      return [];
    },
  };
}

function keyOf({ component, provider, model }: RatedModel): string {
  return `${component} ${provider} ${model}`;
}
