import { createEgressClient, egressEnv, type EgressClient } from '@outdial/egress';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChatServer, type ChatReply, type ChatServer } from '../test/chat-server.ts';
import { analysisSettings } from '../test/job.ts';
import { createChatCompletions } from './chat-completions.ts';
import type { AnswerMode, TextModel } from './text-model.ts';

const KEY = 'sk-simulated-canary-4711';
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
let egress: EgressClient;
let server: ChatServer;
let reply: ChatReply = {};

beforeAll(async () => {
  const allowed = egressEnv.OUTDIAL_EGRESS_ALLOW.schema.parse('127.0.0.0/8');
  egress = createEgressClient({ allowed, proxy: null });
  server = await startChatServer(() => reply);
});
afterAll(async () => {
  await egress.close();
  await server.close();
});

function model(changes: { provider?: 'openai' | 'openai_compatible'; isOwn?: boolean } = {}): TextModel {
  const { provider = 'openai', isOwn = false } = changes;
  const { llm } = analysisSettings();
  const credential = { credentialId: 'c', provider, apiKey: KEY, baseUrl: `${server.url}/` };
  const opened = createChatCompletions(egress)({ ...llm, provider, temperature: 0.2 }, credential, isOwn);
  if (opened === null) throw new Error('there is a driver for it');
  return opened;
}

const ask = (mode: AnswerMode = 'json_schema', of: TextModel = model()) =>
  of.complete({ messages: [{ role: 'user', content: 'Hi.' }], mode, schema, signal: new AbortController().signal });

describe('a request', () => {
  it('is what a strict server takes, in every mode, and its answer has text and usage', async () => {
    reply = { content: '{"a":1}' };
    for (const mode of ['json_schema', 'json_object', 'text'] as const) {
      expect(await ask(mode)).toEqual({
        text: '{"a":1}',
        usage: { inputTokens: 800, cachedInputTokens: 200, outputTokens: 50 },
      });
    }
    expect(server.requests.map((sent) => sent.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
    ]);
    expect(server.requests[0]).toMatchObject({ model: 'gpt-5-mini', max_completion_tokens: 1_000, temperature: 0.2 });
    expect(new Set(server.keys)).toEqual(new Set([`Bearer ${KEY}`]));
  });

  it('limits other servers by the name that they know', async () => {
    await ask('text', model({ provider: 'openai_compatible' }));
    expect(server.requests.at(-1)).toMatchObject({ max_tokens: 1_000 });
  });

  it('to the operator’s network is sent for the operator’s credentials alone', async () => {
    const before = server.requests.length;
    await expect(ask('text', model({ isOwn: true }))).rejects.toMatchObject({ fault: 'rejected' });
    expect(server.requests.length).toBe(before);
  });
});

describe('a fault', () => {
  it.each([
    [429, 'json_schema', 'unavailable'],
    [500, 'json_schema', 'unavailable'],
    [503, 'text', 'unavailable'],
    [401, 'json_schema', 'rejected'],
    [404, 'json_schema', 'rejected'],
    [302, 'json_schema', 'rejected'],
    [400, 'json_schema', 'mode_unsupported'],
    [422, 'json_object', 'mode_unsupported'],
    [400, 'text', 'rejected'],
  ] as const)('of status %i to a request for %s is %s', async (status, mode, fault) => {
    reply = { status, body: '{}' };
    await expect(ask(mode)).rejects.toMatchObject({ fault });
  });

  it.each(['no JSON', '{"choices":[]}', '{"choices":[{}]}', ''])(
    'in a response that is %j is worth another try',
    async (body) => {
      reply = { body };
      await expect(ask()).rejects.toMatchObject({ fault: 'unavailable' });
    },
  );

  it('keeps the key out of its message, also where the provider quotes it', async () => {
    reply = {
      status: 401,
      body: JSON.stringify({
        error: { message: `Incorrect API key: ${KEY}, ${KEY.slice(0, 8)}********9f3b, sk-sim****4711` },
      }),
    };
    const error: unknown = await ask().catch((failure: unknown) => failure);
    expect(String(error)).toContain('Incorrect API key');
    expect(String(error)).not.toMatch(/canary|9f3b|4711/);
    expect(String(error)).not.toContain(KEY.slice(0, 8));
  });

  it('of a server that is away is worth another try', async () => {
    const gone = await startChatServer(() => ({}));
    await gone.close();
    const { llm } = analysisSettings();
    const credential = { credentialId: 'c', provider: 'openai', apiKey: KEY, baseUrl: gone.url } as const;
    const away = createChatCompletions(egress)(llm, credential, false);
    await expect(ask('text', away ?? model())).rejects.toMatchObject({ fault: 'unavailable' });
  });
});

it('a provider without a driver has no model', () => {
  const { llm } = analysisSettings();
  const credential = { credentialId: 'c', provider: 'anthropic', apiKey: KEY, baseUrl: null } as const;
  expect(createChatCompletions(egress)({ ...llm, provider: 'anthropic' }, credential, false)).toBeNull();
});
