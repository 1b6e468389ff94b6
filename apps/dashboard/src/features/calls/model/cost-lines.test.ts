import type { CallBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { costLines } from './cost-lines.ts';

const llm = { provider: 'openai', model: 'gpt-5-mini', unit: 'output_text_token' } as const;
const stt = { provider: 'deepgram', model: 'flux-general-en', unit: 'second' } as const;
const usage: CallBody['usage'] = [
  { component: 'llm', ...llm, quantity: 1_001, own_credential: false },
  { component: 'stt', ...stt, quantity: 40.25, own_credential: true },
];
const items: CallBody['cost_breakdown']['items'] = [
  { product: 'connection', unit_price: 0.001, quantity: 1, cost: 0.001 },
  { product: 'talk_time', unit_price: 0.01, quantity: 1.5, cost: 0.015 },
  { product: 'llm', ...llm, unit_price: 2, quantity: 1_001, cost: 0.002002 },
  { product: 'stt', ...stt, unit_price: 0, quantity: 40.25, cost: 0 },
  { product: 'adjustment', unit_price: -0.001, quantity: 1, cost: -0.001 },
];

test('the cost of an ended call names each model, its quantity and its price, or the own credential', () => {
  const lines = costLines({ status: 'ended', currency: 'USD', usage, cost_breakdown: { items } });
  expect(lines.map(({ title, details, cost }) => [title, ...details, cost])).toEqual([
    ['Connection', '1 × $0.001', '$0.001'],
    ['Talk time', '1 min 30 s at $0.01 per minute', '$0.015'],
    ['Speech to text', 'Deepgram · flux-general-en', '40.25 seconds on your own credential', '$0.00'],
    ['Language model', 'OpenAI · gpt-5-mini', '1,001 output text tokens at $2.00 per million', '$0.002002'],
    ['Capped at the reserved amount', 'A call never costs more than was reserved for it', '-$0.001'],
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
});

test('a call in progress shows what its models have used, and that the cost is pending', () => {
  const lines = costLines({ status: 'in_progress', currency: 'USD', usage, cost_breakdown: { items: [] } });
  expect(lines.map(({ details, cost }) => [...details, cost])).toEqual([
    ['Deepgram · flux-general-en', '40.25 seconds on your own credential', '$0.00'],
    ['OpenAI · gpt-5-mini', '1,001 output text tokens', 'Pending'],
  ]);
});

test('a model has one line with the sum of its units, wherever the items stand', () => {
  const speech = { provider: 'openai', model: 'gpt-realtime-2.1' } as const;
  const mixed: CallBody['cost_breakdown']['items'] = [
    { product: 'realtime', ...speech, unit: 'input_text_token', unit_price: 4, quantity: 100, cost: 0.1 },
    { product: 'stt', ...stt, unit_price: 1, quantity: 2, cost: 0.000002 },
    { product: 'realtime', ...speech, unit: 'output_audio_token', unit_price: 64, quantity: 254, cost: 0.2 },
  ];
  const lines = costLines({ status: 'ended', currency: 'USD', usage: [], cost_breakdown: { items: mixed } });
  expect(lines.map(({ title, details, cost }) => [title, ...details, cost])).toEqual([
    [
      'Speech-to-speech model',
      'OpenAI · gpt-realtime-2.1',
      '100 input text tokens at $4.00 per million: $0.10',
      '254 output audio tokens at $64.00 per million: $0.20',
      '$0.30',
    ],
    ['Speech to text', 'Deepgram · flux-general-en', '2 seconds at $1.00 per million', '$0.000002'],
  ]);
});
