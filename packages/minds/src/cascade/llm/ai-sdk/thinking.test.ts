import { expect, test } from 'vitest';
import { aiSdkModel } from './ai-sdk-model.ts';
import { leastThinking } from './thinking.ts';

test.each([
  ['gemini-2.5-flash', { thinkingBudget: 0 }],
  ['gemini-2.5-flash-lite', { thinkingBudget: 0 }],
  ['gemini-2.5-pro', { thinkingBudget: 128 }],
  ['gemini-3-flash-preview', { thinkingLevel: 'minimal' }],
  ['gemini-3.1-flash-lite', { thinkingLevel: 'minimal' }],
  ['models/gemini-3.1-pro-preview', { thinkingLevel: 'low' }],
  ['gemini-2.0-flash', null],
  ['gemini-flash-latest', null],
  ['gemma-3-27b-it', null],
] as const)('%s thinks as little as it may', (model, expected) => {
  expect(leastThinking({ provider: 'google', model })).toEqual(expected);
  expect(leastThinking({ provider: 'anthropic', model })).toBeNull();
});

test('the request says how much a model of Google may think', async () => {
  const bodies: string[] = [];
  const refusal = {
    error: {
      code: 429,
      message: 'You exceeded your current quota.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.4s' }],
    },
  };
  const model = aiSdkModel({
    settings: { provider: 'google', model: 'gemini-2.5-flash', maxOutputTokens: 300 },
    credential: 'key',
    fetch: async (_url, init) => {
      if (typeof init?.body === 'string') bodies.push(init.body);
      return Response.json(refusal, { status: 429 });
    },
  });
  const request = { instructions: '', conversation: [], tools: [] };
  const failure = await new Promise((resolve) => model.answer(request, resolve));
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } });
  expect(failure).toMatchObject({ kind: 'failed', failure: { kind: 'rate_limited', retryAfterMs: 400 } });
});
