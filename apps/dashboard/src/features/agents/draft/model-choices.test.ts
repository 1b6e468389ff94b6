import type { PricedModelBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { modelChoices } from './model-choices.ts';

const model = (component: PricedModelBody['component'], provider: PricedModelBody['provider'], name: string) => ({
  component,
  provider,
  model: name,
  prices: [],
  estimate_per_minute: 0,
});

test('the models of the component and the provider are suggested, a pattern by its beginning', () => {
  const models = [
    model('llm', 'openai', 'gpt-5-mini'),
    model('llm', 'openai', 'gpt-5*'),
    model('llm', 'openai', '*'),
    model('llm', 'anthropic', 'claude-5'),
    model('realtime', 'openai', 'gpt-realtime'),
  ];
  expect(modelChoices({ models }, { component: 'llm', provider: 'openai' })).toEqual(['gpt-5-mini', 'gpt-5']);
  expect(modelChoices({ models }, { component: 'tts', provider: 'openai' })).toEqual([]);
});
