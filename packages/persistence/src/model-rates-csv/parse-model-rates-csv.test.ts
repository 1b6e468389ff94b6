import type { ModelRate } from '@outdial/calls';
import { COMPONENTS, micros, PROVIDERS, USAGE_UNITS, type Component, type UsageUnit } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatModelRatesCsv } from './format-model-rates-csv.ts';
import { parseModelRatesCsv } from './parse-model-rates-csv.ts';

const HEADER = 'component,provider,model,unit,price_per_million,estimate_per_minute';
const amount = fc.nat(2_000_000_000).map((parts) => micros(parts));

/** What every provider counts a component by. Written down once more: it must not follow the code. */
const COUNTED: Readonly<Record<Component, readonly UsageUnit[]>> = {
  realtime: [
    'input_text_token',
    'cached_input_text_token',
    'input_audio_token',
    'cached_input_audio_token',
    'output_text_token',
    'output_audio_token',
    'second',
  ],
  stt: ['second'],
  llm: ['input_text_token', 'cached_input_text_token', 'output_text_token'],
  tts: ['character'],
};
/** A conversation with xAI is billed by its time and its items of text. */
const COUNTED_BY_XAI: readonly UsageUnit[] = ['second', 'request'];
/** A conversation with GPT-Live is billed by its time alone. */
const COUNTED_BY_LIVE: readonly UsageUnit[] = ['second'];
/** A transcription by a model of OpenAI, also in Azure, is billed by tokens too. */
const COUNTED_BY_OPENAI: readonly UsageUnit[] = ['input_text_token', 'input_audio_token', 'output_text_token'];

function isCounted({ component, provider, unit }: ModelRate): boolean {
  if (component === 'realtime' && provider === 'xai') return COUNTED_BY_XAI.includes(unit);
  if (component === 'realtime' && provider === 'openai_live') return COUNTED_BY_LIVE.includes(unit);
  const isOfOpenAi = provider === 'openai' || provider === 'azure';
  return COUNTED[component].includes(unit) || (component === 'stt' && isOfOpenAi && COUNTED_BY_OPENAI.includes(unit));
}

const anyRate: fc.Arbitrary<ModelRate> = fc.record({
  component: fc.constantFrom(...COMPONENTS),
  provider: fc.constantFrom(...PROVIDERS),
  model: fc.stringMatching(/^[A-Za-z0-9._:,"/-]{1,30}\*?$/),
  unit: fc.constantFrom(...USAGE_UNITS),
  priceMicrosPerMillion: amount,
  estimateMicrosPerMinute: amount,
});
const rate = anyRate.filter(isCounted);

const selector = ({ component, provider, model, unit }: ModelRate) => `${component} ${provider} ${model} ${unit}`;

test('every deck is read again as it was exported', () => {
  fc.assert(
    fc.property(fc.uniqueArray(rate, { minLength: 1, maxLength: 20, selector }), (rates) => {
      expect(parseModelRatesCsv(formatModelRatesCsv(rates))).toEqual({ ok: true, rates });
    }),
  );
});

test('a rate in a unit that its component does not count is rejected, with its line and its field', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyRate, { minLength: 1, maxLength: 20, selector }), (rates) => {
      const parsed = parseModelRatesCsv(formatModelRatesCsv(rates));
      const lines = rates.flatMap((one, index) => (isCounted(one) ? [] : [index + 2]));
      expect(parsed.ok ? [] : parsed.problems.map(({ line }) => line)).toEqual(lines);
      if (!parsed.ok) expect(parsed.problems.every(({ message }) => message.startsWith('unit: '))).toBe(true);
    }),
  );
});

test('any other text is rejected with its lines, or read', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parsed = parseModelRatesCsv(`${HEADER}\n${text}`);
      if (!parsed.ok) expect(parsed.problems.every(({ line, message }) => line >= 1 && message !== '')).toBe(true);
    }),
  );
});

test.each([
  ['a header without a column', 'component,provider,model,unit,price_per_million\n', 'line must name the columns'],
  ['an empty deck', `${HEADER}\n`, 'the file has no rates'],
  ['an unknown component', `${HEADER}\nbrain,openai,gpt,second,1,0`, 'component: '],
  ['an unknown provider', `${HEADER}\nllm,acme,gpt,second,1,0`, 'provider: '],
  ['a star in the middle', `${HEADER}\nllm,openai,g*t,output_text_token,1,0`, 'one * at the end'],
  ['an unknown unit', `${HEADER}\nllm,openai,gpt,minute,1,0`, 'unit: '],
  [
    'a unit of another component',
    `${HEADER}\nllm,openai,gpt,character,1,0`,
    'unit: openai does not count llm by character',
  ],
  ['a negative price', `${HEADER}\nllm,openai,gpt,output_text_token,-1,0`, 'price_per_million: must be a decimal'],
  ['too few columns', `${HEADER}\nllm,openai,gpt,second,1`, 'has 5 columns instead of 6'],
  ['a stray quote', `${HEADER}\nllm,openai,"gpt,output_text_token,1,0`, 'stray double quote'],
  [
    'a unit twice',
    `${HEADER}\nllm,openai,gpt,output_text_token,1,0\nllm,openai,gpt,output_text_token,2,0`,
    'already in line 2',
  ],
])('%s is named', (_name, text, message) => {
  const parsed = parseModelRatesCsv(text);
  expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.message).join()).toContain(message);
});
