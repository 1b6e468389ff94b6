import { COMPONENTS, type CallBody, type Component, type UsageUnit } from '@outdial/contracts';
import { formatCount, formatMoney } from '../../../shared/format/numbers.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';
import type { CostFacts, CostItem, CostLine } from './cost-line.ts';

type Usage = CallBody['usage'][number];

/** What a call used of one unit of a model. */
interface Part {
  readonly component: Component;
  readonly model: string;
  readonly words: string;
  /** Null: not known before the call has ended. */
  readonly cost: number | null;
}

const UNIT_WORDS: Readonly<Record<UsageUnit, string>> = {
  input_text_token: 'input text tokens',
  cached_input_text_token: 'cached input text tokens',
  input_audio_token: 'input audio tokens',
  cached_input_audio_token: 'cached input audio tokens',
  output_text_token: 'output text tokens',
  output_audio_token: 'output audio tokens',
  second: 'seconds',
  character: 'characters',
  request: 'requests',
};
const OWN = 'on your own credential';

/** One line for each model: its units, also those that have no price, such as in a call in progress. */
export function modelCostLines(call: CostFacts): readonly CostLine[] {
  const { items } = call.cost_breakdown;
  const unpriced = call.usage.filter((usage) => items.every((item) => keyOf(item, item.product) !== keyOfUsage(usage)));
  return COMPONENTS.flatMap((component) => {
    const parts = [
      ...items.filter(({ product }) => product === component).map((item) => partOfItem(call, component, item)),
      ...unpriced.filter((usage) => usage.component === component).map((usage) => partOfUsage(call, usage)),
    ];
    const models = [...new Set(parts.map(({ model }) => model))];
    return models.map((model) =>
      lineOf(
        call,
        parts.filter((part) => part.model === model),
        { component, model },
      ),
    );
  });
}

function lineOf(
  { currency }: CostFacts,
  parts: readonly Part[],
  { component, model }: Pick<Part, 'component' | 'model'>,
): CostLine {
  const money = (amount: number | null) => (amount === null ? 'Pending' : formatMoney(amount, currency));
  const units = parts.map(({ words, cost }) =>
    parts.length > 1 && cost !== null ? `${words}: ${money(cost)}` : words,
  );
  return {
    key: `${component} ${model}`,
    title: COMPONENT_WORDS[component],
    details: [model, ...units],
    cost: money(sumOf(parts)),
  };
}

/** To a millionth, which is the smallest amount: sums of decimals have more digits. */
function sumOf(parts: readonly Part[]): number | null {
  let sum = 0;
  for (const { cost } of parts) {
    if (cost === null) return null;
    sum += cost;
  }
  return Number(sum.toFixed(6));
}

function partOfItem(call: CostFacts, component: Component, item: CostItem): Part {
  const isOwn = call.usage.some((usage) => usage.own_credential && keyOfUsage(usage) === keyOf(item, component));
  const priced = isOwn ? OWN : `at ${formatMoney(item.unit_price, call.currency)} per million`;
  return { component, model: modelWords(item), words: `${amountOf(item)} ${priced}`, cost: item.cost };
}

function partOfUsage({ status }: CostFacts, usage: Usage): Part {
  const { component, own_credential: isOwn } = usage;
  return {
    component,
    model: modelWords(usage),
    words: isOwn ? `${amountOf(usage)} ${OWN}` : amountOf(usage),
    cost: isOwn || status === 'ended' ? 0 : null,
  };
}

type OfModel = Pick<CostItem, 'provider' | 'model' | 'unit' | 'quantity'>;

/** An item of a model and its usage have the same key. */
function keyOf({ provider, model, unit }: OfModel, product: CostItem['product']): string {
  return [product, provider, model, unit].join(' ');
}

function keyOfUsage(usage: Usage): string {
  return keyOf(usage, usage.component);
}

function modelWords({ provider, model }: OfModel): string {
  return [provider === undefined ? undefined : PROVIDER_WORDS[provider], model]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** `800 input text tokens` */
export function amountOf({ quantity, unit }: Pick<CostItem, 'unit' | 'quantity'>): string {
  return `${formatCount(quantity)} ${unit === undefined ? 'units' : UNIT_WORDS[unit]}`;
}
