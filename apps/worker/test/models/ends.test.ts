import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const OPENING = 'Good morning, this is the dental practice.';
const ANSWER = 'There is a slot at nine.';
const LAST = 'There is none. Have a nice day!';
const SCRIPT = { opening: { say: 'Hello.' }, rules: [{ when: /Tuesday/, say: ANSWER }], otherwise: { say: LAST } };

const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const stage = openModelStage();
afterAll(async () => {
  await stage.close();
  await speech.close();
});

async function provider(): Promise<SimulatedProvider> {
  const sentences = await Promise.all([HELLO, SLOTS].map(async (text) => ({ text, samples: await callee(text) })));
  await Promise.all([OPENING, ANSWER, LAST, 'Goodbye.'].map(speak));
  const started = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => started.close());
  return started;
}

type Family = 'realtime' | 'cascade';

function modelsOf(family: Family, { address }: SimulatedProvider) {
  const credential = { isFallback: false, credentialId: 'main', isOwn: false, apiKey: 'sk-simulated-canary-4711' };
  const openAi = { provider: 'openai', baseUrl: `${address}/v1`, ...credential } as const;
  if (family === 'realtime') return [{ component: 'realtime', model: 'gpt-realtime-2.1', ...openAi }] as const;
  return [
    { component: 'stt', provider: 'deepgram', model: 'flux-general-en', baseUrl: address, ...credential },
    { component: 'llm', model: 'gpt-simulated', ...openAi },
    { component: 'tts', provider: 'elevenlabs', model: 'eleven_flash_v2_5', baseUrl: address, ...credential },
  ] as const;
}

const CHOICES = {
  realtime: { model: { provider: 'openai', model: 'gpt-realtime-2.1' } },
  cascade: {
    llm: { provider: 'openai', model: 'gpt-simulated' },
    tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
  },
};

/** The callee has answered and has heard the first message. */
async function greeted(family: Family, ends: object) {
  const settings = {
    driver: family,
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    // On a busy machine the answers are late, and these tests are not about what bridges the pause.
    waiting: { after_ms: 10_000 },
    first_message: OPENING,
    closing: 'Goodbye.',
    ...ends,
    ...CHOICES[family],
  };
  const call = await openConductedCall(stage, { models: modelsOf(family, await provider()), settings, speech });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  return call;
}

describe.each(['realtime', 'cascade'] as const)('a whole call of the family %s', (family) => {
  test('ends with its closing after as many answers as max_turns allows', async () => {
    const call = await greeted(family, { max_turns: 2 });
    await call.say(await callee(SLOTS));
    await call.hearOut();
    expect(call.hungUp()).toBeUndefined();
    await call.say(await callee(SLOTS));
    await call.waitUntil(() => call.hungUp() !== undefined);
    expect(call.hungUp()).toBe('agent_hangup');
    const { transcript } = await call.agent.finish();
    const said = transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
    expect(said).toEqual([OPENING, ANSWER, ANSWER, 'Goodbye.']);
  });

  test('ends after an answer that holds a phrase of end_call, and says nothing more', async () => {
    const call = await greeted(family, { end_call: { phrases: ['have a nice day'] } });
    await call.say(await callee(SLOTS));
    await call.hearOut();
    expect(call.hungUp()).toBeUndefined();
    // The provider does not know this sentence.
    await call.say(await callee('Something else entirely.'));
    await call.waitUntil(() => call.hungUp() !== undefined);
    expect(call.hungUp()).toBe('agent_hangup');
    expect((await call.agent.finish()).transcript.at(-1)?.text).toBe(LAST);
  });
});
