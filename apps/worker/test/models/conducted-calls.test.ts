import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const BYE = 'That is fine, thank you.';
const OPENING = 'Good morning Anna, this is the dental practice.';
const LONG = 'You could come on Tuesday at nine, or on Wednesday at half past ten, or on any other day of next week.';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, tool: { name: 'free_slots', arguments: { day: 'Tuesday' } } },
    { when: /thank you/, say: 'Thank you, goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } },
  ],
  otherwise: { say: LONG },
};

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
  const sentences = await Promise.all([HELLO, SLOTS, BYE].map(async (text) => ({ text, samples: await callee(text) })));
  // A voice that takes its time would be bridged with other words.
  await Promise.all([OPENING, LONG, 'There is a slot at nine.', 'Thank you, goodbye.'].map(speak));
  const started = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => started.close());
  return started;
}

function open(at: SimulatedProvider, on = stage) {
  const settings = {
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    // On a busy machine the answers are late, and these tests are not about what bridges the pause.
    waiting: { after_ms: 10_000 },
    first_message: 'Good morning {{name}}, this is the dental practice.',
    model: { provider: 'openai', model: 'gpt-realtime-2.1' },
    tools: [{ type: 'http', name: 'free_slots', description: 'Finds free slots.', url: at.toolUrl }],
  };
  const credential = {
    isFallback: false,
    credentialId: 'main',
    isOwn: false,
    apiKey: 'sk-simulated-canary-4711',
  } as const;
  const baseUrl = `${at.address}/v1`;
  const models = [
    { component: 'realtime', provider: 'openai', model: 'gpt-realtime-2.1', baseUrl, ...credential },
    { component: 'stt', provider: 'openai', model: 'gpt-4o-mini-transcribe', baseUrl, ...credential },
  ] as const;
  return openConductedCall(on, { models, settings, speech });
}

test('a call is conducted to its end, with every word of both sides, a tool and its usage', async () => {
  const at = await provider();
  const call = await open(at);
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  await call.hearOut();
  await call.say(await callee(BYE));
  await call.waitUntil(() => call.hungUp() !== undefined);
  const { transcript, answeredBy } = await call.agent.finish();
  expect(call.hungUp()).toBe('agent_hangup');
  expect(answeredBy).toBe('human');
  expect(transcript.map(({ role, text, source }) => [role, text, source])).toEqual([
    ['callee', HELLO, 'stt'],
    ['agent', OPENING, 'script'],
    ['callee', SLOTS, 'stt'],
    ['agent', 'There is a slot at nine.', 'model'],
    ['callee', BYE, 'stt'],
    ['agent', 'Thank you, goodbye.', 'model'],
  ]);
  const called = call.events.filter((event) => event.kind === 'tool_called');
  expect(called).toMatchObject([
    { name: 'free_slots', arguments: { day: 'Tuesday' }, outcome: 'ok', result: expect.stringContaining('9:00') },
    { name: 'end_call', arguments: { reason: 'done' }, outcome: 'ok' },
  ]);
  const used = call.events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
  const sum = (entries: typeof used) => entries.reduce((total, { quantity }) => total + quantity, 0);
  expect(sum(used.filter(({ component }) => component === 'realtime'))).toBe(
    at.ledger.total({ component: 'realtime' }),
  );
  const transcribed = used.filter(({ component }) => component === 'stt');
  for (const unit of ['input_audio_token', 'output_text_token'] as const) {
    const billed = at.ledger.total({ component: 'stt', unit });
    expect(billed).toBeGreaterThan(0);
    expect(sum(transcribed.filter((entry) => entry.unit === unit))).toBe(billed);
  }
  const delays = call.events.flatMap((event) => (event.kind === 'turn_metrics' ? [event.v2vMs] : []));
  expect(delays).toHaveLength(3);
  for (const delay of delays) expect(delay).not.toBeNull();
  expect(JSON.stringify(call.events)).not.toContain('canary');
});

test('a callee who breaks in cuts the answer to the words that were heard', async () => {
  const call = await open(await provider());
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  // The provider does not know this sentence: it gets the long answer.
  await call.say(await callee('Something else entirely.'));
  await call.waitUntil(() => call.agentSpeaks());
  await call.say(new Int16Array(16_000));
  await call.say(await callee(BYE));
  await call.waitUntil(() => call.hungUp() !== undefined);
  const { transcript } = await call.agent.finish();
  const cut = transcript.find(({ interrupted }) => interrupted);
  expect(cut?.text).toMatch(/^You could come/);
  expect(LONG.startsWith(cut?.text ?? '-')).toBe(true);
  expect(cut?.text).not.toBe(LONG);
  expect(transcript.at(-1)?.text).toBe('Thank you, goodbye.');
});

test('a provider that cannot be reached ends the call before anybody has answered', async () => {
  const at = await provider();
  await at.close();
  const call = await open(at);
  await expect.poll(() => call.hungUp()).toBe('provider_unavailable');
  expect(call.nowMs()).toBe(0);
});

test('a provider that goes away in a call ends it with the failure message', async () => {
  const at = await provider();
  const call = await open(at);
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await at.close();
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('provider_unavailable');
  expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
});

test('a model thread that dies ends its calls with the failure message', async () => {
  const dying = openModelStage();
  const call = await open(await provider(), dying);
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await dying.thread.close();
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('provider_unavailable');
  expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
  await dying.close();
});
