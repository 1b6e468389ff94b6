import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, modelNeeds, requiredVariables, storedAgentSettingsSchema } from './index.ts';

const realtime = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind {{name}} of a visit. It is {{now}}.',
  model: { provider: 'openai', model: 'gpt-realtime-2.1' },
};
const cascade = {
  driver: 'cascade',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  llm: { provider: 'openai', model: 'gpt-5-mini', fallbacks: [{ provider: 'anthropic', model: 'claude-haiku' }] },
  tts: { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL', credential: 'voices' },
};
const xai = { provider: 'xai', model: 'grok-voice-think-fast-1.0' };
const live = { provider: 'openai_live', model: 'gpt-live-1.1' };
const google = { provider: 'google', model: 'gemini-3.8-live' };
const tool = { type: 'http', name: 'free_slots', description: 'Finds free slots.', url: 'https://example.com/slots' };

const mcp = (name: string, changes: object = {}) => ({ type: 'mcp', name, url: 'https://example.com/mcp', ...changes });

const llm = { provider: 'openai', model: 'gpt-mini' };
const fields = (properties: object) => ({ type: 'object', properties });
const manyFields = Object.fromEntries(Array.from({ length: 33 }, (_, nth) => [`f${nth}`, { type: 'string' }]));

const issuesOf = (settings: object) =>
  agentSettingsSchema.safeParse(settings).error?.issues.map(({ path }) => path.join('.'));

describe('settings without a driver', () => {
  it('are scripted', () => {
    expect(agentSettingsSchema.parse({ name: 'Plain', first_message: 'Hello.' }).driver).toBe('scripted');
  });
});

describe('settings of a conducted agent', () => {
  it('are complete with instructions and models', () => {
    expect(agentSettingsSchema.parse(realtime)).toMatchObject({ model: { voice: 'marin' }, language: 'en-US' });
    expect(agentSettingsSchema.parse(cascade)).toMatchObject({
      stt: { provider: 'deepgram', model: 'flux-general-en' },
    });
  });

  it('are complete with a deployment of Azure for each part, and with a model of xAI', () => {
    const azure = { provider: 'azure', model: 'my-deployment', transcription: { model: 'my-ears' } };
    const settings = agentSettingsSchema.parse({ ...realtime, model: { ...azure, fallbacks: [xai] } });
    expect(settings).toMatchObject({
      model: { voice: 'marin', fallbacks: [{ voice: 'eve', transcription: { model: 'grok-transcribe' } }] },
    });
    // xAI transcribes without charge: nothing else is needed for it.
    const needs = settings.driver === 'realtime' ? modelNeeds(settings) : [];
    expect(needs.map(({ component, provider, model }) => `${component} ${provider} ${model}`)).toEqual([
      'realtime azure my-deployment',
      'realtime xai grok-voice-think-fast-1.0',
      'stt azure my-ears',
    ]);
  });

  it.each(['openai', 'azure'])(
    'of %s reduce noise where they say so, and are as they were where they do not',
    (provider) => {
      const model = { provider, model: 'gpt-realtime', transcription: null };
      const parsed = (changes: object) => agentSettingsSchema.parse({ ...realtime, model: { ...model, ...changes } });
      expect(parsed({ noise_reduction: 'far_field' })).toMatchObject({ model: { noise_reduction: 'far_field' } });
      expect(JSON.stringify(parsed({}))).not.toContain('noise_reduction');
    },
  );

  it('are complete with a model of Google, which transcribes without another', () => {
    const settings = agentSettingsSchema.parse({ ...realtime, model: google });
    expect(settings).toMatchObject({
      model: { voice: 'Kore', transcription: { keywords: [] }, turn_detection: { silence_duration_ms: 500 } },
    });
    expect(settings.driver === 'realtime' && modelNeeds(settings)).toMatchObject([{ provider: 'google' }]);
  });

  it('are complete with GPT-Live, which needs the model that it delegates to', () => {
    const model = { ...live, credential: 'mine' };
    const settings = agentSettingsSchema.parse({ ...realtime, model });
    expect(settings).toMatchObject({ model: { voice: 'marin', delegation: { max_output_tokens: 2_048 } } });
    expect(settings.driver === 'realtime' && modelNeeds(settings)).toMatchObject([
      { component: 'realtime', provider: 'openai_live', model: 'gpt-live-1.1', credential: 'mine', path: 'model' },
      { component: 'llm', provider: 'openai_live', model: 'gpt-5-mini', credential: 'mine', path: 'model.delegation' },
    ]);
  });

  it.each([
    ['driver', { ...realtime, driver: 'telepathy' }],
    ['tools.4', { ...realtime, tools: ['a', 'b', 'c', 'd', 'e'].map((name) => mcp(name)) }],
    ['tools.1.name', { ...realtime, tools: [mcp('free_slots'), tool] }],
    ['tools.0.url', { ...realtime, tools: [mcp('crm', { url: 'stdio:crm' })] }],
    ['tools.0.allowed_tools', { ...realtime, tools: [mcp('crm', { allowed_tools: [] })] }],
    ['tools.0.allowed_tools', { ...realtime, tools: [mcp('crm', { allowed_tools: ['a', 'a'] })] }],
    ['tools.0.timeout_ms', { ...realtime, tools: [mcp('crm', { timeout_ms: 31_000 })] }],
    ['model.voice', { ...realtime, model: { ...realtime.model, voice: 'darth' } }],
    ['model.provider', { ...realtime, model: { ...realtime.model, provider: 'acme' } }],
    ['model.transcription', { ...realtime, model: { provider: 'azure', model: 'my-deployment' } }],
    ['model.noise_reduction', { ...realtime, model: { ...realtime.model, noise_reduction: 'loud' } }],
    ['model', { ...realtime, model: { ...xai, noise_reduction: 'near_field' } }],
    ['model', { ...realtime, model: { ...google, noise_reduction: 'near_field' } }],
    ['model', { ...realtime, model: { ...live, noise_reduction: 'near_field' } }],
    ['model.voice', { ...realtime, model: { ...xai, voice: 'marin' } }],
    ['model', { ...realtime, model: { ...xai, max_output_tokens: 100 } }],
    ['model.turn_detection.type', { ...realtime, model: { ...xai, turn_detection: { type: 'semantic_vad' } } }],
    ['model.reasoning_effort', { ...realtime, model: { ...xai, reasoning_effort: 'low' } }],
    ['model.transcription.model', { ...realtime, model: { ...xai, transcription: { model: 'whisper-1' } } }],
    ['model.voice', { ...realtime, model: { ...live, voice: 'eve' } }],
    ['model', { ...realtime, model: { ...live, turn_detection: { type: 'server_vad' } } }],
    ['model.delegation', { ...realtime, model: { ...live, delegation: { temperature: 1 } } }],
    ['model.voice', { ...realtime, model: { ...google, voice: 'kore' } }],
    ['model', { ...realtime, model: { ...google, reasoning_effort: 'low' } }],
    ['model.transcription', { ...realtime, model: { ...google, transcription: { model: 'whisper-1' } } }],
    ['model.turn_detection.type', { ...realtime, model: { ...google, turn_detection: { type: 'semantic_vad' } } }],
    ['model.fallbacks.0.voice', { ...realtime, model: { ...xai, fallbacks: [{ ...xai, voice: 'marin' }] } }],
    ['instructions', { ...realtime, instructions: 'x'.repeat(32_001) }],
    ['instructions', { ...realtime, instructions: 'Hello {{name' }],
    ['language', { ...realtime, language: 'english please' }],
    ['timezone', { ...realtime, timezone: 'Mars/Olympus' }],
    ['tools.1.name', { ...realtime, tools: [tool, tool] }],
    ['tools.0.url', { ...realtime, tools: [{ ...tool, url: 'ftp://example.com' }] }],
    ['tools.0.parameters', { ...realtime, tools: [{ ...tool, parameters: { type: 'string' } }] }],
    ['endpointing.max_delay_ms', { ...realtime, endpointing: { min_delay_ms: 900, max_delay_ms: 800 } }],
    ['tts.voice', { ...cascade, tts: { ...cascade.tts, voice: 'short' } }],
    ['failure_message', { ...realtime, failure_message: '🙂' }],
    ['opt_out.key', { ...realtime, opt_out: { key: '10' } }],
    ['opt_out.confirmation', { ...realtime, opt_out: { confirmation: 'Goodbye {{name' } }],
    ['analysis', { ...realtime, analysis: { llm } }],
    ['analysis.data.properties', { ...realtime, analysis: { llm, data: fields({}) } }],
    ['analysis.data.properties', { ...realtime, analysis: { llm, data: fields(manyFields) } }],
    ['analysis.data.properties.visit.type', { ...realtime, analysis: { llm, data: fields({ visit: fields({}) }) } }],
  ])('are rejected with the path of the invalid field: %s', (path, settings) => {
    expect(issuesOf(settings)).toEqual([path]);
  });

  it('name unknown fields, so that a typo is not lost', () => {
    const parsed = agentSettingsSchema.safeParse({ ...realtime, instrctions: 'x' });
    expect(parsed.error?.issues[0]?.message).toContain('instrctions');
  });

  it('require the variables of their texts, without those that every call has', () => {
    expect(requiredVariables(agentSettingsSchema.parse(realtime))).toEqual(['name']);
  });

  it('let a callee opt out by words, and say so, unless they forbid it', () => {
    const confirmation = 'You will not be called again. Goodbye.';
    expect(storedAgentSettingsSchema.parse(realtime)).toMatchObject({ opt_out: { on_model: true, confirmation } });
    expect(agentSettingsSchema.parse({ ...cascade, opt_out: { key: '9', on_model: false } })).toMatchObject({
      opt_out: { key: '9', on_model: false, confirmation },
    });
    const settings = agentSettingsSchema.parse({ ...cascade, opt_out: { confirmation: 'Goodbye, {{title}}.' } });
    expect(requiredVariables(settings)).toEqual(['title']);
  });

  it('need their models in the order in which they are used', () => {
    const settings = agentSettingsSchema.parse(cascade);
    if (settings.driver === 'scripted') throw new Error('not conducted');
    expect(modelNeeds(settings).map(({ path, provider, credential }) => [path, provider, credential])).toEqual([
      ['stt', 'deepgram', null],
      ['llm', 'openai', null],
      ['llm.fallbacks.0', 'anthropic', null],
      ['tts', 'elevenlabs', 'voices'],
    ]);
  });

  it('need the model that transcribes beside a realtime one, on the same credential', () => {
    const model = { ...realtime.model, credential: 'mine', fallbacks: [{ ...realtime.model, transcription: null }] };
    const settings = agentSettingsSchema.parse({ ...realtime, model });
    if (settings.driver === 'scripted') throw new Error('not conducted');
    expect(modelNeeds(settings)).toMatchObject([
      { component: 'realtime', path: 'model', credential: 'mine', isFallback: false },
      { component: 'realtime', path: 'model.fallbacks.0', credential: null, isFallback: true },
      {
        component: 'stt',
        provider: 'openai',
        model: 'gpt-4o-mini-transcribe',
        path: 'model.transcription',
        credential: 'mine',
        isFallback: false,
      },
    ]);
  });

  it('stay readable when a later version added fields', () => {
    const later = { ...agentSettingsSchema.parse(realtime), telepathy: true };
    expect(storedAgentSettingsSchema.parse(later)).toEqual(agentSettingsSchema.parse(realtime));
  });
});
