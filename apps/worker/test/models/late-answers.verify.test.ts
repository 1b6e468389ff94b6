import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { conductedAgent, REALTIME_CHOICE, type RealtimeProvider } from './conducted-agent.ts';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const OPENING = 'Good morning Anna, this is the dental practice.';
const ANSWER = 'There is a slot at nine.';
const WAIT = 'One moment.';
const SCRIPT = { opening: { say: 'Hello.' }, rules: [{ when: /Tuesday/, say: ANSWER }], otherwise: { say: 'Yes?' } };

const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
/** What calls showed of their providers: the evidence of breakers. */
const outcomes = new Map<string, string[]>();
const stage = openModelStage({
  used(callId, { credentialId }, outcome) {
    outcomes.set(callId, [...(outcomes.get(callId) ?? []), `${credentialId}: ${outcome}`]);
  },
});
afterAll(async () => {
  await stage.close();
  await speech.close();
});

/** The thread starts with its first call, which may take longer than a call waits on a busy machine. */
beforeAll(async () => {
  const { call } = await askedCall('openai', 'gpt-realtime-2.1');
  await call.agent.finish();
});

/** The callee has heard the first message of a model of this name, and asks. */
async function askedCall(
  of: RealtimeProvider,
  model: string,
  {
    hasFallback = true,
    fallbackModel = REALTIME_CHOICE[of].model,
  }: { hasFallback?: boolean; fallbackModel?: string } = {},
) {
  const sentences = await Promise.all([HELLO, SLOTS].map(async (text) => ({ text, samples: await callee(text) })));
  await Promise.all([OPENING, ANSWER, WAIT].map(speak));
  const provider = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => provider.close());
  const agent = conductedAgent('realtime', provider, { provider: of, model });
  const [first] = agent.models;
  const fallback = { ...REALTIME_CHOICE[of], provider: of, model: fallbackModel };
  const call = await openConductedCall(stage, {
    speech,
    settings: {
      ...agent.settings,
      waiting: { after_ms: 1_500, phrases: [WAIT] },
      model: { ...REALTIME_CHOICE[of], provider: of, model, fallbacks: hasFallback ? [fallback] : [] },
    },
    models:
      first === undefined || !hasFallback
        ? agent.models
        : [first, { ...first, model: fallback.model, isFallback: true, credentialId: 'spare' }],
  });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  return { call, provider, askedMs: call.nowMs() };
}

type Call = Awaited<ReturnType<typeof askedCall>>['call'];

async function ended(call: Call, provider: Awaited<ReturnType<typeof askedCall>>['provider']) {
  const { transcript } = await call.agent.finish();
  const said = transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
  const used = call.events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
  const tokens = used.filter(({ component, unit }) => component === 'realtime' && unit !== 'second');
  const charged = tokens.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    said: said.filter((text) => text === null || !WAIT.startsWith(text)),
    /** A phrase is cut where the answer begins. */
    wasBridged: said.some((text) => text !== null && WAIT.startsWith(text)),
    heard: transcript.filter(({ role }) => role === 'callee').map(({ text }) => text),
    charged,
    billed: () => provider.ledger.total({ component: 'realtime', unit: 'token' }),
  };
}

describe.each(['openai', 'azure', 'xai'] as const)('a model of %s', (of) => {
  const billsTokens = of !== 'xai';
  // xAI does not say why a response failed.
  const limited = of === 'xai' ? 'unreachable' : 'rate_limited';

  test('that is slow is raced by its fallback, whose answer is the only one, and which goes on with the call', async () => {
    const { call, provider, askedMs } = await askedCall(of, 'slow-after-1-answers');
    await call.waitUntil(() => call.itemsOver() >= 2);
    await call.hearOut();
    await call.say(await callee(SLOTS));
    await call.hearOut();
    // The first choice would have answered by now: its ten seconds are fifty of the call.
    if (of === 'openai') await call.waitUntil(() => call.nowMs() > askedMs + 52_000);
    const { said, wasBridged, heard, charged, billed } = await ended(call, provider);
    // On a busy machine the callee asks before the first message has begun, which is then left out.
    expect(said.filter((text) => text !== OPENING)).toEqual([ANSWER, ANSWER]);
    expect(wasBridged).toBe(true);
    expect(heard).toEqual([HELLO, SLOTS, SLOTS]);
    if (billsTokens) await expect.poll(billed).toBe(charged);
    const failures = call.events.flatMap((event) => (event.kind === 'provider_failed' ? [event.failure] : []));
    expect(failures).toEqual(['unreachable']);
    expect(call.events.filter(({ kind }) => kind === 'provider_recovered')).toHaveLength(1);
    expect(outcomes.get(call.callId)).toContain('main: fault');
    expect(outcomes.get(call.callId)).toContain('spare: success');
  });

  test('that fails once for its rate is asked again, and answers itself', async () => {
    const { call, provider } = await askedCall(of, 'limited-once-after-1-answers');
    await call.hearOut();
    const { said, charged, billed } = await ended(call, provider);
    expect(said).toEqual([OPENING, ANSWER]);
    expect(provider.connections()).toBe(1);
    if (billsTokens) await expect.poll(billed).toBe(charged);
  });

  test('that fails for its rate again is followed by its fallback', async () => {
    const { call, provider } = await askedCall(of, 'limited-after-1-answers');
    await call.waitUntil(() => call.itemsOver() >= 2);
    await call.hearOut();
    const { said, wasBridged, charged, billed } = await ended(call, provider);
    expect(said).toEqual([OPENING, ANSWER]);
    expect(wasBridged).toBe(true);
    if (billsTokens) await expect.poll(billed).toBe(charged);
    expect(call.events).toContainEqual(expect.objectContaining({ kind: 'provider_failed', failure: limited }));
  });

  test('that fails for its rate again ends the call with the failure message where it has no fallback', async () => {
    const { call, provider } = await askedCall(of, 'limited-after-1-answers', { hasFallback: false });
    await call.waitUntil(() => call.hungUp() !== undefined);
    expect(call.hungUp()).toBe('provider_unavailable');
    const { said } = await ended(call, provider);
    expect(said.at(-1)).toContain('technical problem');
    expect(said).not.toContain(ANSWER);
  });
});

test('a model that is as slow as its fallback ends the call with the failure message, 8 s after the callee has asked', async () => {
  const { call, provider, askedMs } = await askedCall('openai', 'slow-after-1-answers', {
    fallbackModel: 'slow-after-0-answers',
  });
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('provider_unavailable');
  expect(call.nowMs() - askedMs).toBeGreaterThan(7_000);
  expect(call.nowMs() - askedMs).toBeLessThan(20_000);
  const { said, charged, billed } = await ended(call, provider);
  expect(said).toEqual([OPENING, expect.stringContaining('technical problem')]);
  expect(provider.connections()).toBe(2);
  await expect.poll(billed).toBe(charged);
});
