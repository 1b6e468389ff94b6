import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServedEndpoints } from '../http/endpoints.ts';
import { createSimulatedProviders, type SimulatedProviders } from '../simulated-providers.ts';
import { createEars } from '../speech/ears.ts';

const KEY = 'sk-simulated-canary-4711';
/** A second of speech in two syllables. */
const SPEECH = Int16Array.from({ length: 8_000 }, (_, at) => (at % 4_000 < 2_500 ? 6_000 : 0) * Math.sin(at / 4));

let server: Server;
let served: ServedEndpoints;
let providers: SimulatedProviders;
let port: number;
beforeEach(async () => {
  server = createServer();
  providers = createSimulatedProviders({
    clock: systemClock,
    ears: createEars([{ text: 'Hello there.', samples: SPEECH }]),
    speak: async () => SPEECH,
    script: { opening: { say: 'Hello.' }, rules: [], otherwise: { say: 'Pardon?' } },
    timings: { transcribeMs: 0, firstSoundMs: 0, soundSpeed: 1_000 },
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

async function post(path: string, body: FormData | string, key = KEY) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/audio/${path}`, { method: 'POST', headers, body });
  const { status } = response;
  return { status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

function wav(samples: Int16Array, change: (file: Buffer) => void = () => undefined): Blob {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples.length * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of [16, 0x1_0001, 8_000, 16_000, 0x10_0002].entries()) file.writeUInt32LE(value, 16 + 4 * at);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [at, sample] of samples.entries()) file.writeInt16LE(sample, 44 + 2 * at);
  change(file);
  return new Blob([file], { type: 'audio/wav' });
}

function form(changes: Readonly<Record<string, string | Blob | null>> = {}): FormData {
  const data = new FormData();
  const fields = { model: 'whisper', language: 'en', response_format: 'json', file: wav(SPEECH), ...changes };
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) data.append(name, value, 'turn.wav');
    else if (value !== null) data.append(name, value);
  }
  return data;
}

describe('transcriptions', () => {
  test.each([
    ['another key', () => form(), 'sk-live-1', 401],
    ['no form', () => '{"model":"whisper"}', KEY, 400],
    ['an unknown field', () => form({ timestamp: 'word' }), KEY, 400],
    ['no model', () => form({ model: null }), KEY, 400],
    ['no file', () => form({ file: null }), KEY, 400],
    ['a file that is no field of a file', () => form({ file: 'RIFF' }), KEY, 400],
    ['a language with its region', () => form({ language: 'en-US' }), KEY, 400],
    ['a temperature above one', () => form({ temperature: '2' }), KEY, 400],
    ['a sound of 8 bits', () => form({ file: wav(SPEECH, (file) => file.writeUInt16LE(8, 34)) }), KEY, 400],
    ['a size that is not its own', () => form({ file: wav(SPEECH, (file) => file.writeUInt32LE(4, 40)) }), KEY, 400],
    ['another rate', () => form({ file: wav(SPEECH, (file) => file.writeUInt32LE(44_100, 24)) }), KEY, 400],
    ['a sound below 100 ms', () => form({ file: wav(SPEECH.subarray(0, 700)) }), KEY, 400],
    ['a model that is busy', () => form({ model: '429' }), KEY, 429],
  ])('are refused for %s', async (_, body, key, status) => {
    expect((await post('transcriptions', body(), key)).status).toBe(status);
    expect(providers.ledger.totals()).toEqual([]);
  });

  test('are the words of the sound, and its seconds are counted', async () => {
    const { status, body } = await post('transcriptions', form());
    expect([status, JSON.parse(body.toString('utf8'))]).toEqual([200, { text: 'Hello there.' }]);
    expect(providers.ledger.total({ component: 'stt', provider: 'local', unit: 'second' })).toBe(1);
  });
});

describe('speech', () => {
  const valid = { model: 'kokoro', input: 'Hello there.', voice: 'af_heart', response_format: 'pcm' };

  test.each([
    ['another key', valid, 'sk-live-1', 401],
    ['an unknown field', { ...valid, lang_code: 'a' }, KEY, 400],
    ['no voice', { ...valid, voice: undefined }, KEY, 400],
    ['an empty text', { ...valid, input: '' }, KEY, 400],
    ['a text that is too long', { ...valid, input: 'a'.repeat(4_097) }, KEY, 400],
    ['a speed above four', { ...valid, speed: 5 }, KEY, 400],
    ['a form that no telephone plays', { ...valid, response_format: 'mp3' }, KEY, 400],
    ['a model that is down', { ...valid, model: '503' }, KEY, 503],
  ])('is refused for %s', async (_, body, key, status) => {
    expect((await post('speech', JSON.stringify(body), key)).status).toBe(status);
    expect(providers.ledger.totals()).toEqual([]);
  });

  test('is a second of 24 kHz for a second of voice, and its text is counted', async () => {
    const raw = await post('speech', JSON.stringify(valid));
    expect([raw.status, raw.headers.get('content-type'), raw.body.length]).toEqual([200, 'audio/pcm', 48_000]);
    const file = await post('speech', JSON.stringify({ ...valid, response_format: 'wav' }));
    expect(file.body.subarray(44).equals(raw.body)).toBe(true);
    expect(file.body.readUInt32LE(24)).toBe(24_000);
    expect(providers.ledger.total({ component: 'tts', provider: 'local' })).toBe(2 * valid.input.length);
  });
});
