import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServedEndpoints } from './http/endpoints.ts';
import { createSimulatedProviders } from './simulated-providers.ts';
import { createEars } from './speech/ears.ts';

const KEY = 'sk-simulated-canary-4711';

let server: Server;
let served: ServedEndpoints;
let port: number;
beforeEach(async () => {
  server = createServer();
  served = createSimulatedProviders({
    clock: systemClock,
    ears: createEars([]),
    speak: async () => new Int16Array(8),
    script: { opening: { say: 'Hello.' }, rules: [], otherwise: { tool: { name: 'lookup', arguments: { day: 'x' } } } },
    timings: { firstTokenMs: 0, tokenMs: 0 },
  }).serve(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  served.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function post(path: string, headers: object, body: object) {
  const init = { method: 'POST', headers: { ...headers }, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, text: await response.text() };
}

describe('Messages of Anthropic', () => {
  const HEADERS = { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' };
  const user = { role: 'user', content: 'Hello?' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'free' };
  const valid = { model: 'claude-simulated', max_tokens: 100, stream: true, messages: [user] };
  const messages = (...list: readonly object[]) => ({ ...valid, messages: list });

  test.each([
    ['no key', { 'anthropic-version': '2023-06-01' }, valid, 401],
    ['a key of another', { ...HEADERS, 'x-api-key': 'sk-live-1' }, valid, 401],
    ['no version', { 'x-api-key': KEY }, valid, 400],
    ['an unknown model', HEADERS, { ...valid, model: 'gpt-simulated' }, 404],
    ['no limit of tokens', HEADERS, { ...valid, max_tokens: undefined }, 400],
    ['an unknown field', HEADERS, { ...valid, stream_options: {} }, 400],
    ['no stream', HEADERS, { ...valid, stream: false }, 400],
    ['a temperature above one', HEADERS, { ...valid, temperature: 1.5 }, 400],
    ['a first message of the model', HEADERS, messages({ role: 'assistant', content: 'Hi.' }, user), 400],
    ['a last message of the model', HEADERS, messages(user, { role: 'assistant', content: 'Hi.' }), 400],
    ['a message of blanks', HEADERS, messages({ role: 'user', content: ' ' }), 400],
    ['a call without its result', HEADERS, messages(user, { role: 'assistant', content: [call] }, user), 400],
    ['a result without its call', HEADERS, messages({ role: 'user', content: [result] }), 400],
    [
      'a result after words',
      HEADERS,
      messages(
        user,
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'text', text: 'a' }, result] },
      ),
      400,
    ],
  ])('are refused for %s', async (_name, headers, body, status) => {
    const answer = await post('/v1/messages', headers, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', error: { message: expect.any(String) } });
  });

  test('are answered in the order of the documentation', async () => {
    const tools = [{ name: 'lookup', description: '', input_schema: { type: 'object' } }];
    const { text } = await post('/v1/messages', HEADERS, { ...valid, tools });
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(text).toContain('"stop_reason":"tool_use"');
  });
});

const contents = (...list: readonly object[]) => ({ contents: list });

async function listingStatus(headers: Readonly<Record<string, string>>): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/v1beta/models`, { headers })).status;
}

describe('contents of Google', () => {
  const HEADERS = { 'x-goog-api-key': KEY };
  const PATH = '/v1beta/models/gemini-simulated:streamGenerateContent?alt=sse';
  const user = { role: 'user', parts: [{ text: 'Hello?' }] };
  const spoken = { role: 'model', parts: [{ text: 'Hi.' }] };
  const call = { role: 'model', parts: [{ functionCall: { name: 'lookup', args: {} } }] };
  const withParameters = (parameters: object) => ({
    ...contents(user),
    tools: [{ functionDeclarations: [{ name: 'lookup', description: '', parameters }] }],
  });

  test.each([
    ['no key', PATH, {}, contents(user), 403],
    ['a key of another', PATH, { 'x-goog-api-key': 'sk-live-1' }, contents(user), 400],
    ['an answer that is no stream', PATH.replace('?alt=sse', ''), HEADERS, contents(user), 400],
    ['an unknown model', PATH.replace('gemini', 'gpt'), HEADERS, contents(user), 404],
    ['an unknown field', PATH, HEADERS, { ...contents(user), stream: true }, 400],
    ['a role that it has not', PATH, HEADERS, contents({ ...user, role: 'assistant' }), 400],
    ['a first turn of the model', PATH, HEADERS, contents(spoken, user), 400],
    ['a last turn of the model', PATH, HEADERS, contents(user, spoken), 400],
    ['a call without its result', PATH, HEADERS, contents(user, call, user), 400],
    ['a call after words of the model', PATH, HEADERS, contents(user, spoken, call, user), 400],
    ['JSON Schema beyond OpenAPI', PATH, HEADERS, withParameters({ type: 'object', additionalProperties: false }), 400],
    ['a call without its signature', PATH.replace('simulated', '3-flash'), HEADERS, contents(user, call, user), 400],
  ])('are refused for %s', async (_name, path, headers, body, status) => {
    const answer = await post(path, headers, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: status, message: expect.any(String) } });
  });

  test('are answered with whole calls', async () => {
    const { text } = await post(PATH, HEADERS, withParameters({ type: 'object' }));
    expect(text).toContain('"functionCall":{"id":"call_1","name":"lookup","args":{"day":"x"}}');
    expect(text).toContain('"finishReason":"STOP"');
  });

  test('the list of models takes a key of ours alone', async () => {
    expect([await listingStatus(HEADERS), await listingStatus({})]).toEqual([200, 403]);
  });
});
