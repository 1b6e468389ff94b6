import { agentSettingsSchema, type ConductedSettings, type Provider } from '@outdial/contracts';
import type { MindEvent, OpenSocket } from '@outdial/minds';
import { providerAddress } from '@outdial/providers';
import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import type { OpenedModel } from './messages.ts';
import { createMinds } from './open-mind.ts';

const COMMON = { name: 'Appointment', instructions: 'You call patients of a dental practice.' };
const REALTIME = { ...COMMON, driver: 'realtime', model: { provider: 'openai', model: 'first' } };
const WITH_FALLBACK = {
  ...REALTIME,
  model: { ...REALTIME.model, fallbacks: [{ provider: 'openai', model: 'second' }] },
};
const CASCADE = {
  ...COMMON,
  driver: 'cascade',
  stt: { provider: 'deepgram' },
  llm: { provider: 'openai', model: 'gpt' },
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
};
const nothing = () => undefined;
const SILENCE = new Uint8Array(320).fill(0xff);

const credentialFor = (provider: Provider) => ({
  isOwn: false,
  credentialId: 'c1',
  apiKey: 'sk-canary',
  // As credentials are opened.
  baseUrl: providerAddress({ provider, baseUrl: 'https://models.example.com', region: null }) ?? '',
});

function modelsOf(settings: ConductedSettings): readonly OpenedModel[] {
  if (settings.driver === 'realtime') {
    return [settings.model, ...settings.model.fallbacks].map(({ provider, model }, index) => ({
      ...credentialFor(provider),
      component: 'realtime',
      provider,
      model,
      isFallback: index > 0,
    }));
  }
  return (['stt', 'llm', 'tts'] as const).map((component) => {
    const { provider, model } = settings[component];
    return { ...credentialFor(provider), component, provider, model, isFallback: false };
  });
}

/** A call whose providers never answer. */
function ring(given: object) {
  const settings = agentSettingsSchema.parse(given);
  if (settings.driver === 'scripted') throw new Error('not conducted');
  const clock = new ManualClock();
  const events: MindEvent[] = [];
  const urls: string[] = [];
  const openSocket: OpenSocket = ({ url }) => {
    urls.push(url);
    return { send: nothing, close: nothing };
  };
  const mind = createMinds({ openSocket: () => openSocket, fetch: () => () => new Promise(nothing), clock })({
    settings,
    instructions: '',
    tools: [],
    models: modelsOf(settings),
    uses: { used: nothing, nearLimit: nothing, takeLine: async () => true },
    listener: (event) => events.push(event),
  });
  const failures = () => events.filter(({ kind }) => kind === 'failed').length;
  return { clock, mind, urls, failures };
}

test.each([
  ['speech to speech', REALTIME],
  ['a chain of models', CASCADE],
])('%s that is slow to connect has three seconds from the answer, however long it rang', async (_name, settings) => {
  const { clock, mind, failures } = ring(settings);
  mind.say('Good morning.');
  await clock.turnGently(12_000, 1_000);
  expect(failures()).toBe(0);
  mind.hear(SILENCE, 0);
  await clock.turnGently(2_999, 1_000);
  expect(failures()).toBe(0);
  await clock.turnGently(1);
  expect(failures()).toBe(1);
  mind.close();
});

test.each([
  ['speech to speech', REALTIME],
  ['a chain of models', CASCADE],
])('%s that cannot connect fails while it rings', async (_name, settings) => {
  const { clock, failures } = ring(settings);
  await clock.turnGently(15_000, 1_000);
  expect(failures()).toBe(1);
});

test('a model that is billed by time is connected with the first sound of the callee', async () => {
  const { clock, mind, urls, failures } = ring({
    ...COMMON,
    driver: 'realtime',
    model: { provider: 'xai', model: 'first' },
  });
  mind.say('Good morning.');
  await clock.turnGently(20_000, 1_000);
  expect([urls, failures()]).toEqual([[], 0]);
  mind.hear(SILENCE, 0);
  expect(urls).toEqual(['wss://models.example.com/realtime?model=first']);
  await clock.turnGently(3_000, 1_000);
  expect(failures()).toBe(1);
});

test('GPT-Live, which is billed by time, is connected with the first sound of the callee', async () => {
  const model = { provider: 'openai_live', model: 'gpt-live-1.1' };
  const { clock, mind, urls, failures } = ring({ ...COMMON, driver: 'realtime', model });
  mind.say('Good morning.');
  await clock.turnGently(20_000, 1_000);
  expect([urls, failures()]).toEqual([[], 0]);
  mind.hear(SILENCE, 0);
  expect(urls).toEqual(['wss://models.example.com/live/sessions']);
  await clock.turnGently(3_000, 1_000);
  expect(failures()).toBe(1);
});

test('a deployment of Azure is connected below the address of its resource', () => {
  const { mind, urls } = ring({
    ...COMMON,
    driver: 'realtime',
    model: { provider: 'azure', model: 'my-deployment', transcription: null },
  });
  expect(urls).toEqual(['wss://models.example.com/openai/v1/realtime?model=my-deployment']);
  mind.close();
});

test('a model that has a fallback is given up after three seconds of ringing', async () => {
  const { clock, mind, urls, failures } = ring(WITH_FALLBACK);
  await clock.turnGently(3_000, 1_000);
  expect(urls.map((url) => new URL(url).searchParams.get('model'))).toEqual(['first', 'second']);
  await clock.turnGently(11_000, 1_000);
  expect(failures()).toBe(0);
  mind.close();
});
