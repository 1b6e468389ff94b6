import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, settingsProblems } from './index.ts';

const object = (properties: object, rest = {}) => ({ type: 'object', properties, ...rest });

interface Changes {
  readonly parameters?: object;
  readonly headers?: object;
  readonly url?: string;
}

function problemsOf({ parameters = {}, headers = {}, url = 'https://example.com' }: Changes) {
  const settings = agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [
      { type: 'end_call', name: 'end_call', description: 'Ends the call.' },
      {
        type: 'http',
        name: 'slots',
        description: 'Finds slots.',
        url,
        headers,
        parameters: { type: 'object', ...parameters },
      },
    ],
  });
  return settingsProblems(settings);
}
const paramsOf = (input: Parameters<typeof problemsOf>[0]) => problemsOf(input).map(({ param }) => param);

describe('settings have no problem', () => {
  it.each([
    ['without schemas', {}],
    [
      'with nested parameters of a tool',
      { parameters: object({ list: { type: 'array', items: object({ a: { type: 'string' } }) } }) },
    ],
    [
      'with a field named like a keyword',
      { parameters: object({ pattern: { type: 'string' }, $ref: { type: 'string' } }) },
    ],
    [
      'with data that looks like a keyword',
      { parameters: object({ a: { const: { $ref: 'x' }, default: { pattern: '(' } } }).properties },
    ],
    ['with secrets in headers', { headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' } }],
  ])('%s', (_what, input) => {
    expect(problemsOf(input)).toEqual([]);
  });
});

describe('settings have a problem at its path', () => {
  it.each([
    ['an unknown type', 'tools.1.parameters.properties.day', { parameters: object({ day: { type: 'date' } }) }],
    ['a property that is no schema', 'tools.1.parameters.properties.day', { parameters: object({ day: 'string' }) }],
    ['properties that are no object', 'tools.1.parameters.properties', { parameters: { properties: ['day'] } }],
    [
      'a required name without a property',
      'tools.1.parameters.required',
      { parameters: object({}, { required: ['day'] }) },
    ],
    [
      'a pattern',
      'tools.1.parameters.properties.day',
      { parameters: object({ day: { type: 'string', pattern: '^(a+)+$' } }) },
    ],
    [
      'a nested pattern',
      'tools.1.parameters.properties.day',
      { parameters: object({ day: { anyOf: [{ type: 'string', pattern: 'a' }] } }) },
    ],
    ['a reference', 'tools.1.parameters.properties.day', { parameters: object({ day: { $ref: '#' } }) }],
    ['a condition', 'tools.1.parameters', { parameters: object({}, { if: {} }) }],
    ['an incomplete secret', 'tools.1.headers.X-Key', { headers: { 'X-Key': '{{secret.crm}}' } }],
    ['a variable in a URL', 'tools.1.url', { url: 'https://example.com/{{customer_id}}/slots' }],
    ['an escaped variable in a URL', 'tools.1.url', { url: 'https://example.com/?id=%7B%7bcustomer_id%7d%7D' }],
    ['a secret in a URL', 'tools.1.url', { url: 'https://example.com/?key={{secret.CRM_TOKEN}}' }],
    ['a header of the connection', 'tools.1.headers.Connection', { headers: { Connection: 'close' } }],
    ['a header of the length', 'tools.1.headers.content-length', { headers: { 'content-length': '5' } }],
    ['a header of the encoding', 'tools.1.headers.Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['a header of the host', 'tools.1.headers.HOST', { headers: { HOST: 'other.example.com' } }],
    ['a variable in a header', 'tools.1.headers.X-Key', { headers: { 'X-Key': '{{name}}' } }],
  ])('for %s', (_what, param, input) => {
    expect(paramsOf(input)).toEqual([param]);
  });
});

const FLASH = { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL' };
const SONIC = { provider: 'cartesia', voice: 'a0e99841-438c-4a64-b679-ae501e7d6091' };
const HALEY = { provider: 'deepgram' };
const KOKORO = { provider: 'local', model: 'kokoro', voice: 'af_heart' };
const WHISPER = { provider: 'local', model: 'Systran/faster-whisper-small' };

function cascadeProblems(choices: { tts?: object; stt?: object }) {
  const llm = { provider: 'openai', model: 'gpt-5-mini' };
  const texts = { name: 'Appointment', instructions: 'You remind people of a visit.' };
  return settingsProblems(agentSettingsSchema.parse({ driver: 'cascade', ...texts, llm, tts: HALEY, ...choices }));
}

describe('a provider has', () => {
  it.each([
    ['the default voice of Deepgram', { tts: HALEY }],
    ['every step of the speed of Deepgram', { tts: { ...HALEY, voice: 'wes-en', speed: 1.15 } }],
    ['the bounds of ElevenLabs', { tts: { ...FLASH, speed: 0.7, fallbacks: [{ ...FLASH, speed: 1.2 }] } }],
    ['the bounds of Cartesia', { tts: { ...SONIC, speed: 0.6, fallbacks: [{ ...SONIC, speed: 1.5 }] } }],
    ['the options of Flux', { stt: { provider: 'deepgram', options: { eot_threshold: 0.7, eot_timeout_ms: 900 } } }],
    ['any model and voice of a local server', { stt: WHISPER, tts: { ...KOKORO, fallbacks: [KOKORO] } }],
    ['the rate of raw samples', { tts: { ...KOKORO, options: { sample_rate: 22_050 } } }],
    ['a pause before the end of a turn', { stt: { ...WHISPER, options: { eager_endpointing_ms: 300 } } }],
    ['the options of Nova', { stt: { provider: 'deepgram', model: 'nova-3', options: { endpointing_ms: 300 } } }],
  ])('%s', (_what, choices) => {
    expect(cascadeProblems(choices)).toEqual([]);
  });
});

describe('a provider does not have', () => {
  it.each([
    ['a voice', 'tts.voice', { tts: { ...HALEY, voice: 'thalia-en' } }],
    ['a model that its interface speaks', 'tts.model', { tts: { ...HALEY, model: 'aura-2' } }],
    ['a model without a stream', 'tts.model', { tts: { ...FLASH, model: 'eleven_v3' } }],
    ['a model of another provider', 'tts.model', { tts: { ...SONIC, model: 'eleven_flash_v2_5' } }],
    ['a speed between two steps', 'tts.speed', { tts: { ...HALEY, speed: 1.03 } }],
    ['a speed of another provider', 'tts.speed', { tts: { ...FLASH, speed: 1.5 } }],
    ['a speed in a fallback', 'tts.fallbacks.0.speed', { tts: { ...HALEY, fallbacks: [{ ...SONIC, speed: 0.5 }] } }],
    ['a model that hears', 'stt.model', { stt: { provider: 'deepgram', model: 'whisper-1' } }],
    [
      'a rate beside that of a file',
      'tts.options.sample_rate',
      { tts: { ...KOKORO, options: { format: 'wav', sample_rate: 22_050 } } },
    ],
    [
      'a likely end that comes after the end',
      'stt.options.eager_endpointing_ms',
      { stt: { ...WHISPER, options: { endpointing_ms: 300, eager_endpointing_ms: 300 } } },
    ],
    [
      'a likely end in a fallback that comes after the end of all',
      'stt.fallbacks.0.options.eager_endpointing_ms',
      { stt: { ...WHISPER, fallbacks: [{ ...WHISPER, options: { eager_endpointing_ms: 500 } }] } },
    ],
    [
      'an option of Nova in Flux',
      'stt.options.endpointing_ms',
      { stt: { provider: 'deepgram', options: { endpointing_ms: 300 } } },
    ],
    [
      'an option of Flux in Nova',
      'stt.fallbacks.0.options.eot_threshold',
      {
        stt: {
          provider: 'deepgram',
          fallbacks: [{ provider: 'deepgram', model: 'nova-3', options: { eot_threshold: 0.7 } }],
        },
      },
    ],
  ])('%s', (_what, param, choices) => {
    expect(cascadeProblems(choices).map((problem) => problem.param)).toEqual([param]);
  });
});

const problemsOfSource = (changes: object) => {
  const settings = agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [{ type: 'mcp', name: 'crm', url: 'https://example.com/mcp', ...changes }],
  });
  return settingsProblems(settings).map(({ param }) => param);
};

describe('the settings of an MCP server', () => {
  it.each([
    ['a header of the protocol', 'tools.0.headers.Mcp-Session-Id', { headers: { 'Mcp-Session-Id': 'mine' } }],
    ['a key for repetitions', 'tools.0.headers.Idempotency-Key', { headers: { 'Idempotency-Key': 'mine' } }],
    ['an incomplete secret', 'tools.0.headers.X', { headers: { X: '{{secret.crm}}' } }],
    ['a secret in the address', 'tools.0.url', { url: 'https://example.com/{{secret.CRM}}' }],
  ])('have a problem with %s', (_what, param, changes) => {
    expect(problemsOfSource(changes)).toEqual([param]);
  });

  it('have none with a secret in a header', () => {
    expect(problemsOfSource({ headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' } })).toEqual([]);
  });
});
