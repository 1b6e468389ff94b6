import { COMPONENTS, micros, PROVIDERS, USAGE_UNITS, type UsageUnit } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createModelRateDeck, type ModelRate } from './model-rate-deck.ts';

const OF_OPENAI = { component: 'realtime', provider: 'openai' } as const;

const rate = (model: string, price: number, unit: UsageUnit = 'output_audio_token'): ModelRate => ({
  ...OF_OPENAI,
  model,
  unit,
  priceMicrosPerMillion: micros(price),
  estimateMicrosPerMinute: micros(0),
});

const deckOf = (...rates: readonly ModelRate[]) => createModelRateDeck({ currency: 'USD', version: 1, rates });
const pricesOf = (rates: readonly ModelRate[]) => rates.map(({ priceMicrosPerMillion: price }) => Number(price));

test('a model is priced by its own name before any pattern, with all units of that name', () => {
  const deck = deckOf(rate('gpt*', 1), rate('gpt-2', 2), rate('gpt-2', 3, 'input_audio_token'));
  expect(pricesOf(deck.find({ ...OF_OPENAI, model: 'gpt-2' }))).toEqual([2, 3]);
  expect(pricesOf(deck.find({ ...OF_OPENAI, model: 'gpt-2-mini' }))).toEqual([1]);
});

test('a pattern is of one component and one provider', () => {
  const deck = deckOf(rate('*', 1));
  expect(deck.find({ component: 'llm', provider: 'openai', model: 'gpt' })).toEqual([]);
  expect(deck.find({ component: 'realtime', provider: 'deepgram', model: 'gpt' })).toEqual([]);
});

const names = fc.stringMatching(/^[ab]{0,4}$/);

test('the longest matching pattern wins', () => {
  fc.assert(
    fc.property(fc.uniqueArray(names, { maxLength: 8 }), names, (beginnings, model) => {
      const deck = deckOf(...beginnings.map((beginning, price) => rate(`${beginning}*`, price)));
      const matching = beginnings.filter((beginning) => model.startsWith(beginning));
      const longest = matching.toSorted((left, right) => right.length - left.length)[0];
      const expected = longest === undefined ? [] : [beginnings.indexOf(longest)];
      expect(pricesOf(deck.find({ ...OF_OPENAI, model }))).toEqual(expected);
    }),
  );
});

/** What a deck may price, as the price lists of the providers have it. */
const PRICED: readonly (readonly [string, RegExp])[] = [
  ['realtime xai', /^(?:second|request)$/],
  ['realtime openai_live', /^second$/],
  ['realtime *', /^(?:(?:cached_)?input_(?:text|audio)_token|output_(?:text|audio)_token|second)$/],
  ['stt openai', /^(?:input_text_token|input_audio_token|output_text_token|second)$/],
  ['stt azure', /^(?:input_text_token|input_audio_token|output_text_token|second)$/],
  ['stt *', /^second$/],
  ['llm *', /^(?:input|cached_input|output)_text_token$/],
  ['tts *', /^character$/],
];

const isPriced = (component: string, provider: string, unit: string) =>
  PRICED.find(([of]) => of === `${component} ${provider}` || of === `${component} *`)?.[1].test(unit) ?? false;

test('a stored rate in a unit that its component does not count is no rate', () => {
  const all = COMPONENTS.flatMap((component) =>
    PROVIDERS.flatMap((provider) => USAGE_UNITS.map((unit) => ({ ...rate('m', 1), component, provider, unit }))),
  );
  const deck = deckOf(...all);
  for (const component of COMPONENTS) {
    for (const provider of PROVIDERS) {
      const expected = USAGE_UNITS.filter((unit) => isPriced(component, provider, unit));
      expect(deck.find({ component, provider, model: 'm' }).map(({ unit }) => unit)).toEqual(expected);
    }
  }
});

test('a model whose own name is priced in foreign units alone is priced by a pattern', () => {
  const deck = deckOf(rate('gpt-2', 1, 'character'), rate('gpt*', 2));
  expect(pricesOf(deck.find({ ...OF_OPENAI, model: 'gpt-2' }))).toEqual([2]);
});
