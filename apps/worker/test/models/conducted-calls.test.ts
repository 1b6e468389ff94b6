import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, expect, test } from 'vitest';
import { conductedAgent, REALTIME_PROVIDERS, type RealtimeProvider } from './conducted-agent.ts';
import { openConductedCall, openModelStage, type ModelStage } from './conducted-call.ts';
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

/** What a provider bills for. xAI, Google and GPT-Live transcribe without charge. */
const COMPONENTS_OF = {
  openai: ['realtime', 'stt'],
  openai_live: ['realtime', 'llm'],
  azure: ['realtime', 'stt'],
  xai: ['realtime'],
  google: ['realtime'],
} as const;

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

function open(
  at: SimulatedProvider,
  { provider = 'openai', on = stage }: { provider?: RealtimeProvider; on?: ModelStage } = {},
) {
  const tools = [{ type: 'http', name: 'free_slots', description: 'Finds free slots.', url: at.toolUrl }];
  const { settings, models } = conductedAgent('realtime', at, { provider, settings: { tools } });
  return openConductedCall(on, { models, settings, speech });
}

test.each(REALTIME_PROVIDERS)('%s conducts a call to its end: every word of both sides, and a tool', async (of) => {
  const at = await provider();
  const call = await open(at, { provider: of });
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
  expect(new Set(used.map((entry) => entry.provider))).toEqual(new Set([of]));
  for (const component of COMPONENTS_OF[of]) {
    const quantities = used.flatMap((entry) => (entry.component === component ? [entry.quantity] : []));
    // A connection of which the time is billed begins and ends at different moments on both sides.
    const precision = component === 'realtime' && (of === 'xai' || of === 'openai_live') ? -1 : 6;
    const shown = quantities.reduce((sum, quantity) => sum + quantity, 0);
    const billed = () => at.ledger.total({ component });
    // The provider bills time when the connection has ended, and may read the last frames after the call has.
    await expect.poll(billed).toBeGreaterThan(0);
    await expect.poll(billed).toBeCloseTo(shown, precision);
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
  const call = await open(await provider(), { on: dying });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await dying.thread.close();
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('provider_unavailable');
  expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
  await dying.close();
});
