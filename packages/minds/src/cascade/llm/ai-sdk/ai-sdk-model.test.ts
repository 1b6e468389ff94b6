import { describe, expect, test } from 'vitest';
import { CascadeStage, KEY } from '../../../../test/cascade-stage.ts';
import type { LanguageModelEvent, LanguageModelRequest } from '../language-model.ts';
import { aiSdkModel, type AiSdkInput } from './ai-sdk-model.ts';

const REQUEST: LanguageModelRequest = {
  instructions: 'Be brief.',
  conversation: [
    { kind: 'callee', text: 'Hello?' },
    { kind: 'tool_call', id: 'call_1', name: 'lookup', argumentsText: '{"day":"Tuesday"}' },
    { kind: 'tool_result', id: 'call_1', output: 'free at nine' },
    { kind: 'agent', text: 'Nine is free.' },
    { kind: 'callee', text: 'Fine.' },
  ],
  tools: [{ name: 'lookup', description: 'Finds slots.', parameters: { type: 'object', properties: {} } }],
};

function answerOf(input: AiSdkInput, request = REQUEST): Promise<readonly LanguageModelEvent[]> {
  return new Promise((resolve) => {
    const events: LanguageModelEvent[] = [];
    aiSdkModel(input).answer(request, (event) => {
      events.push(event);
      if (event.kind === 'over' || event.kind === 'failed') resolve(events);
    });
  });
}

/** A provider that answers everything with these events, as its documentation shows them. */
function documented(events: readonly object[]) {
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    const text = events.map((event) => `event: ${Reflect.get(event, 'type')}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch, bodies };
}

const settings = { model: 'some-model', maxOutputTokens: 300 };

describe('the models of the AI SDK', () => {
  test('of OpenAI answer the simulated provider, with usage as it is billed', async () => {
    const script = {
      opening: {},
      rules: [{ when: /Fine/, say: 'Goodbye then.', tool: { name: 'lookup', arguments: { day: 'Monday' } } }],
      otherwise: {},
    };
    const stage = await CascadeStage.open({ script });
    try {
      const input = { settings: { ...settings, provider: 'openai', model: 'gpt-simulated' }, credential: KEY } as const;
      const events = await answerOf({ ...input, baseUrl: stage.httpUrl, fetch: stage.fetch });
      expect(events.filter(({ kind }) => kind === 'text')).toHaveLength(2);
      expect(events.filter(({ kind }) => kind === 'tool_call')).toMatchObject([
        { name: 'lookup', argumentsText: '{"day":"Monday"}' },
      ]);
      const tokens = events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
      expect(tokens.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(stage.ledger.total({ component: 'llm' }));
      expect(events.at(-1)).toEqual({ kind: 'over', outcome: 'completed' });
      const rejected = await answerOf({
        ...input,
        credential: 'sk-live-4711',
        baseUrl: stage.httpUrl,
        fetch: stage.fetch,
      });
      expect(rejected).toMatchObject([{ kind: 'failed', failure: { kind: 'rejected', component: 'llm' } }]);
      expect(JSON.stringify(rejected)).not.toContain('4711');
    } finally {
      await stage.close();
    }
  });

  test('of Anthropic count what was read from the cache apart', async () => {
    const { fetch, bodies } = documented([
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'some-model',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, cache_creation_input_tokens: 4, cache_read_input_tokens: 20, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'bye.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]);
    const events = await answerOf({ settings: { ...settings, provider: 'anthropic' }, credential: KEY, fetch });
    expect(events.map((event) => (event.kind === 'text' ? event.text : event.kind))).toEqual([
      'Good',
      'bye.',
      'usage',
      'over',
    ]);
    const usage = events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
    expect(usage.map(({ unit, quantity }) => [unit, quantity])).toEqual([
      ['input_text_token', 14],
      ['cached_input_text_token', 20],
      ['output_text_token', 7],
    ]);
    expect(bodies[0]).toContain('"tool_use_id":"call_1"');
  });

  test('of Google answer, and a conversation without words ends with silence', async () => {
    const { fetch, bodies } = documented([
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: ' there.' }] }, finishReason: 'MAX_TOKENS' }],
        usageMetadata: {
          promptTokenCount: 30,
          cachedContentTokenCount: 10,
          candidatesTokenCount: 5,
          totalTokenCount: 35,
        },
      },
    ]);
    const input = { settings: { ...settings, provider: 'google' }, credential: KEY, fetch } as const;
    const events = await answerOf(input, { ...REQUEST, conversation: [] });
    expect(events.at(-1)).toEqual({ kind: 'over', outcome: 'incomplete' });
    const usage = events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
    expect(usage.map(({ unit, quantity }) => [unit, quantity])).toEqual([
      ['input_text_token', 20],
      ['cached_input_text_token', 10],
      ['output_text_token', 5],
    ]);
    expect(bodies[0]).toContain('[silence]');
  });

  test('that break off are lost, and counted by estimate', async () => {
    const { fetch } = documented([
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'Good' }, finish_reason: null }] },
    ]);
    const broken: typeof globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      const reader = response.body?.getReader();
      return new Response(
        new ReadableStream<Uint8Array>({
          async pull(controller) {
            const part = await reader?.read();
            if (part?.value === undefined) controller.error(new Error('the line is gone'));
            else controller.enqueue(part.value);
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    };
    const events = await answerOf({ settings: { ...settings, provider: 'openai' }, credential: KEY, fetch: broken });
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'usage', 'failed']);
    expect(events.at(-1)).toMatchObject({ failure: { kind: 'dropped' } });
  });
});

describe('a check before the call', () => {
  const NEVER = new AbortController().signal;
  const BASE = 'https://models.example.com/v1';
  const KEY_OF = { openai: 'authorization', anthropic: 'x-api-key', google: 'x-goog-api-key' } as const;
  const PROVIDERS = ['openai', 'anthropic', 'google'] as const;

  function checked(provider: AiSdkInput['settings']['provider'], answer: () => Promise<Response>) {
    const asked: { readonly url: string; readonly key: string | null }[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      asked.push({
        url: url instanceof Request ? url.url : url.toString(),
        key: new Headers(init?.headers).get(KEY_OF[provider]),
      });
      return answer();
    };
    const model = aiSdkModel({ settings: { ...settings, provider }, credential: KEY, baseUrl: `${BASE}/`, fetch });
    return { asked, failure: model.check?.(NEVER) };
  }

  test.each(PROVIDERS)('of %s asks for its models with the key, and finds nothing wrong', async (provider) => {
    const { asked, failure } = checked(provider, async () => new Response('{}'));
    expect(await failure).toBeNull();
    expect(asked).toEqual([{ url: `${BASE}/models`, key: expect.stringContaining(KEY) }]);
  });

  test.each([
    ['anthropic', 401, '{}', 'rejected'],
    ['google', 400, '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}', 'rejected'],
    ['google', 429, '{}', 'rate_limited'],
    ['anthropic', 529, '{}', 'unreachable'],
  ] as const)('of %s that is answered with %i %s says so, and quotes no key', async (provider, status, body, kind) => {
    const { failure } = checked(provider, async () => new Response(`${body} ${KEY}`, { status }));
    expect(await failure).toMatchObject({ kind, component: 'llm' });
    expect(JSON.stringify(await failure)).not.toContain(KEY);
  });

  test('that reaches no server says so', async () => {
    const { failure } = checked('anthropic', () => Promise.reject(new TypeError('fetch failed')));
    expect(await failure).toMatchObject({ kind: 'unreachable' });
  });
});
