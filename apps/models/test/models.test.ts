import { createEgressSockets, envEgressAllow } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import { createSockets, openAiDialect, openOpenAiMind, type Mind, type MindEvent } from '@outdial/minds';
import { CALLEE_VOICE, createVoiceClips, VOICES_FOLDER } from '@outdial/simulated-network';
import { encodeUlaw } from '@outdial/simulated-providers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose, type SimulatedModels } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { DEMO_SCRIPT, parseScript } from '../src/script.ts';

const LOOPBACK = createEgressSockets({ allowed: envEgressAllow.parse('127.0.0.1'), proxy: null });
const SETTINGS = {
  model: 'gpt-realtime-2.1',
  voice: 'marin',
  instructions: 'You confirm an appointment.',
  transcription: { model: 'gpt-4o-mini-transcribe', keywords: [] },
  turnDetection: { type: 'server_vad', silenceMs: 200 },
  maxOutputTokens: 1_024,
  tools: [],
} as const;
const SECOND_OF_SILENCE = new Uint8Array(8_000).fill(0xff);

let models: SimulatedModels;
beforeAll(async () => {
  models = await compose(readConfig({ OUTDIAL_MODELS_PORT: '0' }));
});
afterAll(() => models.stop());

/** Opens a conversation; `next` resolves with the first event of a kind. */
function converse() {
  const waiting = new Map<MindEvent['kind'], (event: MindEvent) => void>();
  const seen: MindEvent[] = [];
  const mind: Mind = openOpenAiMind({
    dialect: openAiDialect,
    settings: SETTINGS,
    credential: 'sk-simulated-demo',
    baseUrl: `ws://127.0.0.1:${models.port}/v1`,
    openSocket: createSockets({ clock: systemClock, egress: LOOPBACK, scope: 'allow_list' }),
    clock: systemClock,
    listener(event) {
      seen.push(event);
      waiting.get(event.kind)?.(event);
    },
  });
  const next = (kind: MindEvent['kind']) =>
    new Promise<MindEvent>((resolve) => {
      const known = seen.find((event) => event.kind === kind);
      if (known) resolve(known);
      else waiting.set(kind, resolve);
    });
  return { mind, next };
}

test('what a simulated callee says is transcribed word for word', async () => {
  const clips = createVoiceClips(VOICES_FOLDER);
  const samples = await clips.synthesize({ text: 'Okay, that is fine.', voice: CALLEE_VOICE });
  const { mind, next } = converse();
  await next('ready');
  mind.hear(encodeUlaw(samples), 0);
  mind.hear(SECOND_OF_SILENCE, Math.round(samples.length / 8));
  expect(await next('callee_said')).toMatchObject({ text: 'Okay, that is fine.' });
  mind.close();
});

test('the model of the demo opts out the callee who asks not to be called again', () => {
  const said = 'Please stop calling me. Take me off your list.';
  expect(DEMO_SCRIPT.rules.find(({ when }) => when.test(said))?.tool?.name).toBe('opt_out');
});

test('the health says that every sentence is known', async () => {
  const response = await fetch(`http://127.0.0.1:${models.port}/healthz`);
  expect(await response.json()).toEqual({ status: 'ok' });
});

test('the tool of the demo answers with the free slots of a day', async () => {
  const response = await fetch(`http://127.0.0.1:${models.port}/tools/free-slots?day=tomorrow`);
  expect(await response.json()).toEqual({ day: 'tomorrow', free_slots: ['10:00', '14:30'] });
  const refused = await fetch(`http://127.0.0.1:${models.port}/tools/free-slots`);
  expect([refused.status, await refused.json()]).toEqual([400, { error: { message: expect.stringContaining('day') } }]);
});

async function check(path: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`http://127.0.0.1:${models.port}${path}`, { headers })).status;
}

test('the providers of a cascade answer on the same port', async () => {
  expect(await check('/v1/projects', { authorization: 'Token sk-simulated-demo' })).toBe(200);
  expect(await check('/v1/user', { 'xi-api-key': 'sk-simulated-demo' })).toBe(200);
  expect(await check('/v1/models', { authorization: 'Bearer sk-simulated-demo' })).toBe(200);
});

test('the ledger has what a conversation would be billed', async () => {
  const { mind, next } = converse();
  await next('ready');
  mind.say('Good morning.');
  await next('answer_over');
  mind.close();
  const response = await fetch(`http://127.0.0.1:${models.port}/ledger`);
  const billed = { component: 'realtime', provider: 'openai', unit: 'token', quantity: expect.any(Number) };
  expect(await response.json()).toEqual({ entries: expect.arrayContaining([billed]) });
});

test('a script from a file answers as written; one that cannot be read is refused with its reason', () => {
  const written = { opening: { say: 'Hi.' }, rules: [{ when: 'yes', say: 'Good.', delay_ms: 5 }], otherwise: {} };
  expect(parseScript(JSON.stringify(written))).toEqual({
    opening: { say: 'Hi.' },
    rules: [{ when: /yes/i, say: 'Good.', delayMs: 5 }],
    otherwise: {},
  });
  expect(() => parseScript('{"opening":{},"rules":[{"when":"("}],"otherwise":{}}')).toThrow('regular expression');
  expect(() => readConfig({ OUTDIAL_MODELS_SCRIPT: '/nowhere.json' })).toThrow('OUTDIAL_MODELS_SCRIPT');
  expect(readConfig({}).OUTDIAL_MODELS_SCRIPT).toBe(DEMO_SCRIPT);
});
