import { expect, test } from 'vitest';
import { conversationLines, costLines } from './show-conversation.ts';

const turn = { end_ms: 9_000, source: 'stt', interrupted: false } as const;
const item = { product: 'realtime', unit_price: 1, quantity: 1, model: 'gpt-realtime-2.1' } as const;

test('both sides and the tools are shown in the order in which they spoke and acted', () => {
  const call = {
    answered_at: '2026-01-01T00:00:00.000Z',
    transcript: [
      { ...turn, role: 'callee', text: 'Yes, speaking.', start_ms: 1_000 },
      { ...turn, role: 'agent', text: 'It is at', start_ms: 3_000, interrupted: true },
      { ...turn, role: 'callee', text: null, start_ms: 4_000 },
    ],
  } as const;
  const data = { name: 'find', arguments: { day: 'tomorrow' }, outcome: 'ok', result: 'HTTP 200\n{"free": []}' };
  const events = [
    { id: '1', at: '2026-01-01T00:00:00.000Z', type: 'in_progress', data: {} },
    { id: '2', at: '2026-01-01T00:00:02.000Z', type: 'tool_called', data },
    { id: '3', at: '2026-01-01T00:00:05.000Z', type: 'tool_called', data: { ...data, name: 'end', result: undefined } },
  ] as const;
  expect(conversationLines(call, events)).toEqual([
    '',
    '    callee        Yes, speaking.',
    '    tool          find {"day":"tomorrow"} → HTTP 200 {"free": []}',
    '    agent         It is at … (interrupted)',
    '    callee        (speech without words)',
    '    tool          end {"day":"tomorrow"} → ok',
  ]);
  expect(conversationLines({ answered_at: null, transcript: [] }, [])).toEqual([]);
});

test('the cost of a model is one amount, whatever units it is billed by', () => {
  const items = [
    { product: 'talk_time', unit_price: 1, quantity: 1, cost: 0.012 },
    { ...item, unit: 'input_text_token', cost: 0.1 },
    { ...item, unit: 'output_audio_token', cost: 0.2 },
  ] as const;
  const costs = { cost_breakdown: { reserved: 1, items: [...items], total: 0.312 }, currency: 'USD' };
  expect(costLines(costs)).toEqual(['', '    cost in USD   talk_time 0.012, realtime (gpt-realtime-2.1) 0.3']);
});
