import type { CallBody, Component, UsageUnit } from '@outdial/contracts';
import { formatCount, formatMoney, formatSpan } from '../../../shared/format/numbers.ts';
import { COMPONENT_WORDS } from '../../../shared/words/components.ts';
import { PROVIDER_WORDS } from '../../../shared/words/providers.ts';

type Item = CallBody['cost_breakdown']['items'][number];
type Usage = CallBody['usage'][number];

/** One line of a call's cost, in words. */
export interface CostLine {
  readonly key: string;
  readonly title: string;
  readonly details: readonly string[];
  readonly cost: string;
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

type Facts = Pick<CallBody, 'status' | 'currency' | 'usage'> & {
  readonly cost_breakdown: Pick<CallBody['cost_breakdown'], 'items'>;
};

/** The call's items, and the usage of models that has no item, such as that of a call in progress. */
export function costLines(call: Facts): readonly CostLine[] {
  const { items } = call.cost_breakdown;
  const unpriced = call.usage.filter((usage) => items.every((item) => keyOfItem(item) !== keyOfUsage(usage)));
  const [before, adjustments] = [
    items.filter(({ product }) => product !== 'adjustment'),
    items.filter(({ product }) => product === 'adjustment'),
  ];
  return [
    ...before.map((item) => lineOfItem(call, item)),
    ...unpriced.map((usage) => lineOfUsage(call, usage)),
    ...adjustments.map((item) => lineOfItem(call, item)),
  ];
}

function lineOfItem(call: Facts, item: Item): CostLine {
  const money = (amount: number) => formatMoney(amount, call.currency);
  const { product, quantity, unit_price: price } = item;
  const key = keyOfItem(item);
  const cost = money(item.cost);
  switch (product) {
    case 'connection':
      return { key, title: 'Connection', details: [`${quantity} × ${money(price)}`], cost };
    case 'talk_time':
      return { key, title: 'Talk time', details: [`${formatSpan(quantity * 60)} at ${money(price)} per minute`], cost };
    case 'realtime':
    case 'stt':
    case 'llm':
    case 'tts': {
      const isOwn = call.usage.some((usage) => usage.own_credential && keyOfUsage(usage) === key);
      const priced = isOwn ? OWN : `at ${money(price)} per million`;
      return { key, title: COMPONENT_WORDS[product], details: [modelWords(item), `${amountOf(item)} ${priced}`], cost };
    }
    case 'adjustment':
      return {
        key,
        title: 'Capped at the reserved amount',
        details: ['A call never costs more than was reserved for it'],
        cost,
      };
    default:
      return product satisfies never;
  }
}

const OWN = 'on your own credential';

function lineOfUsage({ status, currency }: Facts, usage: Usage): CostLine {
  const { component, own_credential: isOwn } = usage;
  return {
    key: keyOfUsage(usage),
    title: COMPONENT_WORDS[component],
    details: [modelWords(usage), isOwn ? `${amountOf(usage)} ${OWN}` : amountOf(usage)],
    cost: isOwn || status === 'ended' ? formatMoney(0, currency) : 'Pending',
  };
}

/** An item of a model and its usage have the same key. */
function keyOfItem({ product, provider, model, unit }: Item): string {
  return [product, provider, model, unit].join(' ');
}

function keyOfUsage({
  component,
  provider,
  model,
  unit,
}: { readonly component: Component } & Omit<Usage, 'component'>) {
  return [component, provider, model, unit].join(' ');
}

type OfModel = Pick<Item, 'provider' | 'model' | 'unit' | 'quantity'>;

function modelWords({ provider, model }: OfModel): string {
  return [provider === undefined ? undefined : PROVIDER_WORDS[provider], model]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function amountOf({ quantity, unit }: OfModel): string {
  return `${formatCount(quantity)} ${unit === undefined ? 'units' : UNIT_WORDS[unit]}`;
}
