import {
  cascadeSettingsSchema,
  isSpeakable,
  realtimeSettingsSchema,
  requiredVariables,
  type ConductedSettings,
} from '@outdial/contracts';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conductedDraftOf, emptyConductedDraft, newKnowledge, type ConductedDraft } from './conducted-draft.ts';
import { conductedErrors, conductedPath, conductedSettingsOf, conductedVariables } from './conducted-errors.ts';
import { newTool } from './tool-draft.ts';

const text = fc
  .oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.constant('Hello {{name}}, on {{ day }}.'))
  .filter(
    (text) =>
      text.trim() === text && text !== '' && !/\{\{|\}\}/.test(text.replace('{{name}}', '').replace('{{ day }}', '')),
  );
const spoken = text.filter((text) => isSpeakable(text));
const phrases = fc.array(text, { maxLength: 3 });
const int = (min: number, max: number) => fc.integer({ min, max });
const credential = fc.constantFrom('main', 'voices');
const modelName = fc.constantFrom('gpt-realtime', 'flux-general-en', 'org/model:1');
const schema = fc.constantFrom(
  { type: 'object', properties: {} },
  { type: 'object', properties: { day: { type: 'string', enum: ['mon', 'tue'] } }, required: ['day'] },
);
const optionally = <Shape extends Record<string, fc.Arbitrary<unknown>>>(
  shape: Shape,
  requiredKeys: (keyof Shape & string)[] = [],
) => fc.record<Record<string, unknown>>(shape, { requiredKeys });

const tool = fc.oneof(
  fc.record({ type: fc.constantFrom('end_call', 'press_digits', 'leave_voicemail'), description: text }),
  fc.record({
    type: fc.constant('transfer_call'),
    description: text,
    mode: fc.constantFrom('blind', 'warm'),
    destinations: fc
      .array(
        optionally(
          {
            to_number: fc.constantFrom('+12025550142', 'sip:sales@pbx.example'),
            description: text,
            message: text,
            introduction: text,
          },
          ['to_number', 'description'],
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((destinations) => destinations.map((one, at) => ({ ...one, name: `Desk ${at}` }))),
  }),
  optionally(
    {
      type: fc.constant('http'),
      description: text,
      url: fc.webUrl(),
      method: fc.constantFrom('GET', 'POST'),
      headers: fc.dictionary(
        fc.constantFrom('X-A', 'Authorization', '__proto__x'),
        fc.constantFrom('', '{{secret.A}}', ' b '),
        { noNullPrototype: true },
      ),
      parameters: schema,
      send: fc.constantFrom('body', 'query'),
      timeout_ms: int(500, 30_000),
      idempotent: fc.boolean(),
      speak: optionally({ while_running: text, after: fc.constantFrom('model', 'nothing') }),
    },
    ['type', 'description', 'url'],
  ),
  optionally(
    {
      type: fc.constant('mcp'),
      url: fc.webUrl(),
      headers: fc.constantFrom({}, { Authorization: 'Bearer {{secret.A}}' }),
      allowed_tools: fc.constantFrom(['a'], ['Book-visit', 'b']),
      timeout_ms: int(500, 30_000),
      speak: optionally({ while_running: text, after: fc.constantFrom('model', 'nothing') }),
    },
    ['type', 'url'],
  ),
);
const llmFields = {
  provider: fc.constantFrom('openai', 'anthropic'),
  model: modelName,
  credential,
  temperature: fc.constantFrom(0, 0.5, 2),
  max_output_tokens: int(16, 4_096),
};
const llm = optionally(llmFields, ['provider', 'model']);
/** An analysis must ask for something: `asked`, and perhaps more. */
const analysisWith = (asked: 'summary' | 'data' | 'success') =>
  optionally(
    {
      summary: optionally({ prompt: text }),
      data: fc.constant({ type: 'object', properties: { day: { type: 'string', enum: ['mon', 'tue'] } } }),
      success: optionally({ criteria: text, scale: fc.constantFrom('boolean', '1-10') }, ['criteria']),
      llm: optionally({ ...llmFields, max_output_tokens: int(64, 4_000) }, ['provider', 'model']),
    },
    [asked, 'llm'],
  );
const common = {
  name: text,
  language: fc.constantFrom('en-US', 'de'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  instructions: text,
  knowledge: fc.array(fc.record({ title: text, text }), { maxLength: 3 }),
  first_speaker: fc.constantFrom('agent', 'callee'),
  first_message: text,
  first_message_mode: fc.constantFrom('static', 'generated'),
  interruption: optionally({
    enabled: fc.boolean(),
    min_speech_ms: int(40, 2_000),
    min_words: int(0, 10),
    ignore_phrases: phrases,
  }),
  endpointing: optionally({ mode: fc.constantFrom('provider', 'silence'), min_delay_ms: int(100, 3_000) }),
  no_input: optionally({ prompt: text, after_ms: int(1_000, 60_000), times: int(0, 5) }),
  voicemail: optionally({ action: fc.constantFrom('hang_up', 'leave_message'), message: text }),
  screening_reply: text,
  closing: text,
  failure_message: spoken,
  end_call: optionally({ phrases, on_model: fc.boolean() }),
  opt_out: optionally({ key: fc.constantFrom('9', '#'), confirmation: text, on_model: fc.boolean() }),
  max_turns: int(1, 500),
  max_duration_seconds: int(10, 14_400),
  waiting: optionally({ after_ms: int(500, 10_000), phrases }),
  tools: fc.array(tool, { maxLength: 4 }).map((tools) => tools.map((tool, at) => ({ ...tool, name: `tool_${at}` }))),
  analysis: fc.oneof(analysisWith('summary'), analysisWith('data'), analysisWith('success')),
};
const realtimeModel = {
  provider: fc.constant('openai'),
  model: modelName,
  voice: fc.constantFrom('marin', 'cedar'),
  credential,
  reasoning_effort: fc.constantFrom('minimal', 'high'),
  noise_reduction: fc.constantFrom('near_field', 'far_field'),
  turn_detection: fc.constantFrom({ type: 'server_vad' }, { type: 'semantic_vad', eagerness: 'low' }),
  transcription: fc.constantFrom(null, { model: 'whisper', keywords: ['Outdial'] }),
};
const realtime = optionally(
  {
    ...common,
    driver: fc.constant('realtime'),
    model: optionally(
      { ...realtimeModel, fallbacks: fc.array(optionally(realtimeModel, ['provider', 'model']), { maxLength: 2 }) },
      ['provider', 'model'],
    ),
  },
  ['driver', 'name', 'instructions', 'model'],
).map((input) => realtimeSettingsSchema.parse(input));
const tts = fc.constantFrom(
  { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL', speed: 1.2, options: { stability: 0.5 } },
  { provider: 'deepgram', voice: 'haley-en', credential: 'main' },
  { provider: 'local', model: 'kokoro', voice: 'af_heart', options: { format: 'pcm', sample_rate: 22_050 } },
  {
    provider: 'cartesia',
    voice: '5c1b7a52-0000-4000-8000-000000000001',
    fallbacks: [{ provider: 'deepgram', voice: 'haley-en' }],
  },
);
const cascade = optionally(
  {
    ...common,
    driver: fc.constant('cascade'),
    stt: fc.constantFrom(
      { provider: 'deepgram' },
      { provider: 'deepgram', keywords: ['Riverside'], options: { eot_threshold: 0.7 } },
      { provider: 'local', model: 'Systran/faster-whisper-small', options: { endpointing_ms: 600 } },
    ),
    llm,
    tts,
  },
  ['driver', 'name', 'instructions', 'llm', 'tts'],
).map((input) => cascadeSettingsSchema.parse(input));

/** As it is sent: fields without a value are no JSON. */
const sent = (settings: ConductedSettings): unknown => JSON.parse(JSON.stringify(settings));

describe.each([
  ['realtime', realtime],
  ['cascade', cascade],
] as const)('a draft of an agent with the driver %s', (driver, settings) => {
  it('round-trips settings without errors', () => {
    fc.assert(
      fc.property(settings, (settings) => {
        const draft = conductedDraftOf(settings);
        expect(conductedErrors(draft)).toEqual({});
        expect(sent(conductedSettingsOf(draft))).toEqual(sent(settings));
      }),
    );
  });

  it('lists the variables that the saved settings require', () => {
    fc.assert(
      fc.property(settings, (settings) => {
        const variables = conductedVariables(conductedDraftOf(settings));
        expect(new Set(variables)).toEqual(new Set(requiredVariables(settings)));
      }),
    );
  });

  it('starts with only the required fields missing', () => {
    expect(conductedErrors(emptyConductedDraft(driver))).toEqual({
      name: 'Must not be empty',
      instructions: 'Must not be empty',
    });
  });
});

function draftWith(changes: Partial<ConductedDraft>, driver: 'realtime' | 'cascade' = 'realtime'): ConductedDraft {
  return { ...emptyConductedDraft(driver), name: 'A', instructions: 'Talk.', ...changes };
}
const errorPaths = (draft: ConductedDraft) => Object.keys(conductedErrors(draft)).toSorted();
const start = emptyConductedDraft('realtime');
const { model } = start;

describe('an error of a draft', () => {
  it.each<[string, Partial<ConductedDraft>]>([
    ['instructions', { instructions: 'Hello {{name' }],
    ['knowledge.0.title', { knowledge: [{ ...newKnowledge(), text: 'Fact.' }] }],
    ['interruption.ignore_phrases', { interruption: { ...start.interruption, ignore_phrases: ['yes', ' '] } }],
    ['interruption.min_speech_ms', { interruption: { ...start.interruption, min_speech_ms: '' } }],
    ['endpointing.max_delay_ms', { endpointing: { mode: 'provider', min_delay_ms: 900, max_delay_ms: 800 } }],
    ['max_turns', { max_turns: 0 }],
    ['opt_out.confirmation', { opt_out: { ...start.opt_out, confirmation: ' ' } }],
    ['model.voice', { model: { ...model, voice: 'darth' } }],
    ['model.more', { model: { ...model, more: '{"turn_detection": {"type": "server_vad", "threshold": 7}}' } }],
    ['model.more', { model: { ...model, more: '{"tmeperature": 1}' } }],
    ['model.more', { model: { ...model, more: '{' } }],
    ['tools.0.url', { tools: [{ ...newTool('http'), name: 'a', description: 'b', url: 'ftp://x' }] }],
    [
      'tools.0.parameters',
      { tools: [{ ...newTool('http'), name: 'a', description: 'b', url: 'https://example.com', parameters: '[]' }] },
    ],
    [
      'tools.0.headers.1.name',
      {
        tools: [
          {
            ...newTool('http'),
            name: 'a',
            description: 'b',
            url: 'https://example.com',
            headers: [
              { id: 'x', name: 'X-Key', value: '1' },
              { id: 'y', name: 'x-key', value: '2' },
            ],
          },
        ],
      },
    ],
    ['tools.1.name', { tools: [newTool('end_call'), newTool('end_call')] }],
    ['analysis.data', { analysis: { ...start.analysis, enabled: true, data: '{"type": "string"}' } }],
    [
      'analysis.llm.model',
      { analysis: { ...start.analysis, enabled: true, llm: { ...model, model: '', more: '', voice: '' } } },
    ],
  ])('is at its field: %s', (path, changes) => {
    expect(errorPaths(draftWith(changes))).toEqual([path]);
  });

  it('is ignored in a part that is not used', () => {
    expect(
      conductedErrors(draftWith({ analysis: { ...start.analysis, data: '{' }, tts: { ...model, more: '{' } })),
    ).toEqual({});
  });

  it('of the service is at the same field', () => {
    const headers = [{ id: 'h', name: 'X-Key', value: '{{secret.x}}' }];
    const draft = draftWith({ tools: [{ ...newTool('http'), headers }] });
    expect(conductedPath(draft, 'settings.tools.0.headers.X-Key')).toBe('tools.0.headers.0.value');
    expect(conductedPath(draft, 'settings.tools.0.parameters.properties.day')).toBe('tools.0.parameters');
    expect(conductedPath(draft, 'settings.tools.0.allowed_tools.1')).toBe('tools.0.allowed_tools');
    expect(conductedPath(draft, 'settings.llm.fallbacks.0.credential')).toBe('llm.more');
    expect(conductedPath(draft, 'settings.analysis.llm.credential')).toBe('analysis.llm.credential');
    expect(conductedPath(draft, 'settings.analysis.data.properties.a')).toBe('analysis.data');
    expect(conductedPath(draft, 'settings.analysis')).toBe('analysis.enabled');
    expect(conductedPath(draft, 'settings.voicemail.message')).toBe('voicemail.message');
  });
});

it('begins a new agent with models that the rate deck of the product prices', () => {
  const deck = readFileSync(new URL('../../../../../cli/demo/model-rates.csv', import.meta.url), 'utf8');
  const priced = deck.split('\n').map((line) => line.split(',').slice(0, 3));
  const { model } = emptyConductedDraft('realtime');
  const { stt, llm, tts, analysis } = emptyConductedDraft('cascade');
  for (const [component, choice] of Object.entries({ realtime: model, stt, llm, tts, analysis: analysis.llm }))
    expect(priced).toContainEqual([
      component === 'analysis' ? 'llm' : component,
      choice.provider,
      expect.toSatisfy((name: string) => new RegExp(`^${name.replaceAll('*', '.*')}$`).test(choice.model)),
    ]);
});
