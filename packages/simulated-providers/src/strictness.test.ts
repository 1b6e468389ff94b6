import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { faultOf } from './faults.ts';
import type { ServedEndpoints } from './http/endpoints.ts';
import { createSimulatedProviders, type SimulatedProviders } from './simulated-providers.ts';
import { createEars } from './speech/ears.ts';

const KEY = 'sk-simulated-canary-4711';
const AUTHORIZATION = { authorization: `Token ${KEY}` };
const SPEECH = new Int16Array(8_000).fill(4_000);

let server: Server;
let served: ServedEndpoints;
let providers: SimulatedProviders;
let port: number;
beforeEach(async () => {
  server = createServer();
  providers = createSimulatedProviders({
    clock: systemClock,
    ears: createEars([]),
    speak: async () => SPEECH,
    script: { opening: { say: 'Hello.' }, rules: [], otherwise: { say: 'Pardon?' } },
    timings: { firstTokenMs: 0, tokenMs: 0, firstSoundMs: 0, soundSpeed: 1_000 },
  });
  served = providers.serve(server);
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

const open = (path: string, headers: Readonly<Record<string, string>>) =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });

async function refusalOf(path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const socket = open(path, headers);
  const [, response]: { statusCode?: number }[] = await once(socket, 'unexpected-response');
  socket.on('error', () => undefined);
  socket.terminate();
  return response?.statusCode;
}

/** Sends messages, and returns the code with which the provider ends the socket. */
async function codeAfter(socket: WebSocket, messages: readonly object[]): Promise<number> {
  await once(socket, 'open');
  for (const message of messages) socket.send(JSON.stringify(message));
  const [code]: number[] = await once(socket, 'close');
  return code ?? 0;
}

async function messagesUntil(socket: WebSocket, type: string, sent: readonly object[]): Promise<readonly string[]> {
  await once(socket, 'open');
  for (const message of sent) socket.send(JSON.stringify(message));
  const texts: string[] = [];
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      texts.push(Buffer.isBuffer(data) ? data.toString('utf8') : '');
      if (!texts.at(-1)?.includes(`"type":"${type}"`)) return;
      socket.terminate();
      resolve([...texts]);
    });
  });
}

const FLUX = '/v2/listen?model=flux-general-en&encoding=mulaw&sample_rate=8000';
const VOICE = '/v1/text-to-speech/v/multi-stream-input?model_id=eleven_flash_v2_5&output_format=ulaw_8000';
const CARTESIA = { 'x-api-key': KEY, 'cartesia-version': '2026-03-01' };
const GENERATION = {
  context_id: 'one',
  model_id: 'sonic-3.5',
  transcript: 'Hello there.',
  continue: true,
  voice: { mode: 'id', id: 'v' },
  output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
};

describe('a socket', () => {
  test.each([
    ['a wrong key', FLUX, { authorization: 'Token sk-live-1' }, 401],
    ['an unknown parameter', `${FLUX}&utterance_end=1`, AUTHORIZATION, 400],
    ['an unknown model', FLUX.replace('flux-general-en', 'nova-3'), AUTHORIZATION, 400],
    ['another encoding', FLUX.replace('mulaw', 'linear16'), AUTHORIZATION, 400],
    ['a wrong key for a voice', VOICE, { 'xi-api-key': 'sk-live-1' }, 401],
    ['a parameter that the voice has not', `${VOICE}&speed=1`, { 'xi-api-key': KEY }, 400],
    ['no version', '/tts/websocket', { 'x-api-key': KEY }, 400],
    ['an unknown path', '/v3/listen', AUTHORIZATION, 404],
    ['the header of another at Azure', '/openai/v1/realtime?model=m', { authorization: `Bearer ${KEY}` }, 401],
    ['the version of another path at Azure', '/openai/v1/realtime?model=m&api-version=1', { 'api-key': KEY }, 400],
    ['the path of OpenAI at Azure', '/openai/realtime?model=m', { 'api-key': KEY }, 404],
    ['the header of Azure at xAI', '/xai/v1/realtime?model=m', { 'api-key': KEY }, 400],
  ])('is refused for %s', async (_name, path, headers, status) => {
    expect(await refusalOf(path, { ...headers })).toBe(status);
  });

  test('of ElevenLabs ends with a sixth context, and with an unknown field', async () => {
    const contexts = [1, 2, 3, 4, 5, 6].map((id) => ({ text: 'Hello. ', context_id: `context_${id}` }));
    expect(await codeAfter(open(VOICE, { 'xi-api-key': KEY }), contexts)).toBe(1_008);
    expect(await codeAfter(open(VOICE, { 'xi-api-key': KEY }), [{ text: ' ', voice: 'v' }])).toBe(1_008);
  });

  test('of Deepgram ends with a message that is not of its protocol', async () => {
    expect(await codeAfter(open(FLUX, AUTHORIZATION), [{ type: 'KeepAlive' }])).toBe(1_008);
    const speak = '/v2/speak?model=flux-haley-en&encoding=mulaw&sample_rate=8000';
    expect(await codeAfter(open(speak, AUTHORIZATION), [{ type: 'Clear' }])).toBe(1_008);
  });

  test('of Cartesia reports a field that changes within a context', async () => {
    const other = { ...GENERATION, voice: { mode: 'id', id: 'other' } };
    const messages = await messagesUntil(open('/tts/websocket', CARTESIA), 'error', [GENERATION, other]);
    expect(messages.at(-1)).toContain('"status_code":400');
  });

  test('of Cartesia sends the times of words once, and bills the text', async () => {
    const sent = [GENERATION, { ...GENERATION, transcript: '', continue: false }];
    const messages = await messagesUntil(open('/tts/websocket', CARTESIA), 'done', sent);
    expect(messages.filter((text) => text.includes('"words":["Hello","there."]'))).toHaveLength(1);
    expect(providers.ledger.total({ component: 'tts' })).toBe('Hello there.'.length);
  });
});

const post = (body: object) =>
  fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify(body),
  });

const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const LIVE_KEY = { 'x-goog-api-key': KEY };
const SETUP = { setup: { model: 'models/gemini-3.8-live', generationConfig: { responseModalities: ['AUDIO'] } } };
const audio = (mimeType: string) => ({ realtimeInput: { audio: { mimeType, data: 'AAAA' } } });
const setup = (fields: object) => ({ setup: { ...SETUP.setup, ...fields } });
const declared = (parameters: object) =>
  setup({ tools: [{ functionDeclarations: [{ name: 'lookup', description: 'Finds.', parameters }] }] });

describe('a live session of Google', () => {
  test.each([
    ['a message before the setup', [audio('audio/pcm;rate=8000')], 1_007],
    ['a second setup', [SETUP, SETUP], 1_007],
    ['an unknown field of the setup', [setup({ turnDetection: {} })], 1_007],
    ['a way of answers that the model has not', [setup({ generationConfig: { responseModalities: ['TEXT'] } })], 1_007],
    ['a model by its bare name', [setup({ model: 'gemini-3.8-live' })], 1_007],
    ['a model that is not live', [setup({ model: 'models/gemini-3.8-flash' })], 1_008],
    ['a keyword of JSON Schema', [declared({ type: 'OBJECT', additionalProperties: false })], 1_007],
    ['an empty handle', [setup({ sessionResumption: { handle: null } })], 1_007],
    ['another format of sound', [SETUP, audio('audio/pcmu;rate=8000')], 1_007],
    ['two kinds of messages in one', [SETUP, { ...audio('audio/pcm;rate=8000'), toolResponse: {} }], 1_007],
    [
      'a role that it has not',
      [SETUP, { clientContent: { turns: [{ role: 'system', parts: [] }], turnComplete: true } }],
      1_007,
    ],
    [
      'a result without its call',
      [SETUP, { toolResponse: { functionResponses: [{ id: 'c1', name: 'lookup', response: {} }] } }],
      1_007,
    ],
  ])('ends with %s', async (_name, messages, code) => {
    expect(await codeAfter(open(LIVE, LIVE_KEY), messages)).toBe(code);
  });

  test('without a key is refused, and with a wrong one ends with a reason', async () => {
    expect(await refusalOf(LIVE, {})).toBe(403);
    expect(await codeAfter(open(LIVE, { 'x-goog-api-key': 'AIza-live-1' }), [])).toBe(1_007);
  });
});

const GPT_LIVE = '/v1/live/sessions';
const GPT_LIVE_KEY = { authorization: `Bearer ${KEY}` };
const started = (session: object = {}) => ({ type: 'session.start', session: { model: 'gpt-live-1.1', ...session } });
const delegating = { delegation: { type: 'responses', responses: { model: 'gpt-5-mini' } } };
const note = (fields: object) => ({ type: 'session.thinking.append', content: 'x', delegation_id: null, ...fields });
const liveOutput = { type: 'function_call_output', call_id: 'c1', output: '{}' };

describe('a session of GPT-Live', () => {
  test.each([
    ['a message before the start', [{ type: 'session.close' }], 'session_not_started'],
    ['a second start', [started(), started()], 'session_already_started'],
    ['an unknown field', [started({ turn_detection: null })], 'unknown_parameter'],
    ['a model that is not live', [started({ model: 'gpt-realtime-2.1' })], 'model_not_found'],
    ['µ-law of another rate', [started({ audio: { format: { type: 'audio/pcmu', rate: 16_000 } } })], 'invalid_value'],
    ['an event of the Realtime API', [started(), { type: 'input_audio_buffer.commit' }], 'invalid_value'],
    ['a note without a delegation', [started(), note({ delegation_id: undefined })], 'invalid_value'],
    ['a note for delegated work', [started(delegating), note({ delegation_id: 'd1' })], 'invalid_value'],
    ['a note that is too long', [started(), note({ content: 'word '.repeat(600) })], 'string_above_max_length'],
    ['a result without a backend', [started(), { type: 'response.item.create', item: liveOutput }], 'invalid_request'],
    [
      'a result without its call',
      [started(delegating), { type: 'response.item.create', item: liveOutput }],
      'invalid_value',
    ],
    ['a response to continue that is not there', [started(delegating), { type: 'response.create' }], 'invalid_value'],
  ])('answers %s with an error', async (_name, messages, code) => {
    const received = await messagesUntil(open(GPT_LIVE, GPT_LIVE_KEY), 'error', messages);
    expect(received.at(-1)).toContain(`"code":"${code}"`);
  });

  test('without a key of OpenAI is refused', async () => {
    expect(await refusalOf(GPT_LIVE, { 'api-key': KEY })).toBe(401);
  });

  test('reads notes with the sound that it hears, and closes with the count of its time', async () => {
    const heard = { type: 'session.input_audio.append', audio: '////' };
    const sent = [started(), note({ event_id: 'n1' }), heard, { type: 'session.close' }];
    const received = await messagesUntil(open(GPT_LIVE, GPT_LIVE_KEY), 'session.closed', sent);
    expect(received.filter((text) => text.includes('"client_event_id":"n1"'))).toHaveLength(1);
    expect(received.at(-1)).toContain('"seconds":1');
    expect(providers.ledger.total({ provider: 'openai_live', unit: 'second' })).toBe(1);
  });
});

describe('chat completions', () => {
  const OPEN_SCHEMA = {
    type: 'json_schema',
    json_schema: { name: 'a', strict: true, schema: { type: 'object', properties: {} } },
  };
  const valid = { model: 'gpt-simulated', stream: true, messages: [{ role: 'user', content: 'Hello?' }] };
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '{}' } }];

  test.each([
    ['an unknown field', { ...valid, max_token: 5 }],
    ['an unknown role', { ...valid, messages: [{ role: 'agent', content: 'Hi.' }] }],
    ['options of a stream without one', { ...valid, stream: false, stream_options: { include_usage: true } }],
    ['a schema that is not closed', { ...valid, response_format: OPEN_SCHEMA }],
    [
      'a tool call without its result',
      { ...valid, messages: [{ role: 'assistant', content: null, tool_calls: calls }] },
    ],
    ['a result without its call', { ...valid, messages: [{ role: 'tool', tool_call_id: 'call_1', content: '' }] }],
  ])('are refused for %s', async (_name, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test('bill what they report', async () => {
    const text = await (await post({ ...valid, stream_options: { include_usage: true } })).text();
    expect(text).toContain(`"total_tokens":${providers.ledger.total({ component: 'llm' })}`);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

describe('the check of a credential', () => {
  test.each([
    ['/v1/models', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }],
    ['/v1/models', { authorization: `Bearer ${KEY}` }],
    ['/openai/v1/models', { 'api-key': KEY }],
    ['/v1/projects', AUTHORIZATION],
    ['/v1/user', { 'xi-api-key': KEY }],
    ['/voices', CARTESIA],
  ])('%s takes a key of ours alone', async (path, headers) => {
    const status = async (given: Readonly<Record<string, string>>) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: given })).status;
    expect(await status({ ...headers })).toBe(200);
    const wrong = Object.entries(headers).map(([name, value]) => [name, value.replace(KEY, 'sk-live-1')]);
    expect(await status(Object.fromEntries(wrong))).toBe(401);
  });
});

async function xaiCheckStatus(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`http://127.0.0.1:${port}/xai/v1/models`, { headers })).status;
}

test('the check of a credential of xAI answers a wrong key with 400', async () => {
  expect([await xaiCheckStatus(KEY), await xaiCheckStatus('sk-live-1')]).toEqual([200, 400]);
});

test('a fault is named in full', () => {
  expect(faultOf('drop-after-12-deltas')).toEqual({ kind: 'drop', afterDeltas: 12 });
  expect(faultOf('stall')).toEqual({ kind: 'stall' });
  for (const model of ['gpt-429', 'stalled', 'drop-after--1-deltas', '']) expect(faultOf(model)).toBeNull();
});
