import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { conductedAgent, type Family, type RealtimeProvider } from './conducted-agent.ts';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [{ when: /Tuesday/, say: 'There is a slot at nine.' }],
  otherwise: { say: 'Could you say that again?' },
};
/** Of the call, whose frames pass faster than life. */
const PATIENCE_MS = 120_000;

const speech = createSpeechSynthesizer({ clock: systemClock });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
/** What calls showed of their providers: the evidence of breakers. */
const faults = new Map<string, number>();
const stage = openModelStage({
  used(callId, _model, outcome) {
    if (outcome === 'fault') faults.set(callId, (faults.get(callId) ?? 0) + 1);
  },
});
afterAll(async () => {
  await stage.close();
  await speech.close();
});

/** The thread starts with its first call, which may take longer than a call waits on a busy machine. */
beforeAll(async () => {
  const { call } = await openCall('realtime', 'gpt-realtime-2.1');
  await call.agent.finish();
});

async function openCall(family: Family, model: string, of: RealtimeProvider = 'openai') {
  const sentences = await Promise.all([HELLO, SLOTS].map(async (text) => ({ text, samples: await callee(text) })));
  const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
  const provider = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => provider.close());
  const settings = { no_input: { prompt: 'Are you there?', after_ms: 3_000, times: 1 } };
  const agent = conductedAgent(family, provider, { model, provider: of, settings });
  return { provider, call: await openConductedCall(stage, { ...agent, speech }) };
}

describe.each(['openai', 'azure', 'google'] as const)(
  'a model of %s ends the call before anybody has answered',
  (of) => {
    test.each([
      ['401', 'provider_rejected', 1, 0],
      ['503', 'provider_unavailable', 1, 1],
      // One more after the time that the provider names.
      ['429', 'provider_unavailable', 2, 2],
      // Two more, since it is lost in the first message.
      ['close-1000', 'provider_unavailable', 3, 3],
      ['drop-after-1-deltas', 'provider_unavailable', 3, 3],
    ])('%s: %s', async (model, reason, connections, evidence) => {
      const { provider, call } = await openCall('realtime', model, of);
      await expect.poll(() => call.hungUp(), { timeout: 30_000 }).toBe(reason);
      expect(call.nowMs()).toBe(0);
      expect(provider.connections()).toBe(connections);
      await expect.poll(() => faults.get(call.callId) ?? 0).toBe(evidence);
      expect(JSON.stringify(call.events)).not.toContain('canary');
    });
  },
);

describe.each(['xai', 'openai_live'] as const)(
  'a model of %s, which is connected at the answer, ends the call with the failure message',
  (of) => {
    test.each([
      ['401', 'provider_rejected', 1, 0],
      ['503', 'provider_unavailable', 1, 1],
      ['429', 'provider_unavailable', 2, 2],
      ['close-1000', 'provider_unavailable', 3, 3],
      ['drop-after-1-deltas', 'provider_unavailable', 3, 3],
    ])('%s: %s', async (model, reason, connections, evidence) => {
      const { provider, call } = await openCall('realtime', model, of);
      expect(provider.connections()).toBe(0);
      await call.waitUntil(() => call.hungUp() !== undefined, PATIENCE_MS);
      expect(call.hungUp()).toBe(reason);
      expect(provider.connections()).toBe(connections);
      await expect.poll(() => faults.get(call.callId) ?? 0).toBe(evidence);
      expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
      expect(JSON.stringify(call.events)).not.toContain('canary');
    });
  },
);

describe('a model of a cascade ends the call with the failure message', () => {
  test.each([
    ['401', 'provider_rejected', false],
    ['503', 'provider_unavailable', true],
    ['429', 'provider_unavailable', true],
    ['close-1000', 'provider_unavailable', true],
    ['garbage-json', 'provider_unavailable', false],
    ['stall', 'provider_unavailable', true],
  ])('%s: %s', async (model, reason, isEvidence) => {
    const { call } = await openCall('cascade', model);
    await call.say(new Int16Array(1_600));
    await call.say(await callee(HELLO));
    await call.hearOut();
    await call.say(await callee(SLOTS));
    await call.waitUntil(() => call.hungUp() !== undefined, PATIENCE_MS);
    expect(call.hungUp()).toBe(reason);
    expect((await call.agent.finish()).transcript.at(-1)?.text).toContain('technical problem');
    await expect.poll(() => faults.has(call.callId)).toBe(isEvidence);
    expect(JSON.stringify(call.events)).not.toContain('canary');
  });
});

test('a model that answers with nothing is asked again, and the callee is asked whether they are there', async () => {
  const { call } = await openCall('cascade', 'empty');
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  await call.waitUntil(() => call.hungUp() !== undefined, PATIENCE_MS);
  expect(call.hungUp()).toBe('silence_timeout');
  expect((await call.agent.finish()).transcript.at(-1)?.text).toBe('Are you there?');
});
