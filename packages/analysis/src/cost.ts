import type { AnalysisUsage, PinnedRate } from '@outdial/calls';
import { micros, type LlmChoice, type Micros, type UsageUnit } from '@outdial/contracts';
import type { TextUsage } from './text-model.ts';

/** The prices of one model by unit, in micros per million. */
export interface TextPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly output: bigint;
}

const PER = 1_000_000n;

/** An account that cannot pay for so many tokens gets no analysis: it is the most that one answer may have. */
const COVERED_OUTPUT_TOKENS = 4_000n;

/** Null: the model has no price for its input or its output. */
export function pricesOf(rates: readonly PinnedRate[]): TextPrices | null {
  const priceOf = (unit: UsageUnit) => rates.find((rate) => rate.unit === unit)?.priceMicrosPerMillion;
  const [input, output] = [priceOf('input_text_token'), priceOf('output_text_token')];
  if (input === undefined || output === undefined) return null;
  return { input, output, cachedInput: priceOf('cached_input_text_token') ?? input };
}

/** What must be available before a model is asked. */
export function coverOf({ output }: TextPrices): Micros {
  return micros(roundedUp(COVERED_OUTPUT_TOKENS * output));
}

/** Each unit is rounded up to a micro, as in a call's cost. */
export function costOf(usage: TextUsage, prices: TextPrices): Micros {
  return micros(
    roundedUp(BigInt(usage.inputTokens) * prices.input) +
      roundedUp(BigInt(usage.cachedInputTokens) * prices.cachedInput) +
      roundedUp(BigInt(usage.outputTokens) * prices.output),
  );
}

/** The same, as calls show it. */
export function usageOf(
  { inputTokens, cachedInputTokens, outputTokens }: TextUsage,
  { provider, model, isOwn }: Pick<LlmChoice, 'provider' | 'model'> & { readonly isOwn: boolean },
): readonly AnalysisUsage[] {
  const quantities = [
    { unit: 'input_text_token', quantity: inputTokens },
    { unit: 'cached_input_text_token', quantity: cachedInputTokens },
    { unit: 'output_text_token', quantity: outputTokens },
  ] as const;
  return quantities
    .filter(({ quantity }) => quantity > 0)
    .map((used) => ({ component: 'llm', provider, model, ...used, isOwn }));
}

function roundedUp(microsTimesMillion: bigint): bigint {
  return (microsTimesMillion + PER - 1n) / PER;
}
