import { randomUUID } from 'node:crypto';
import { createSpeechSynthesizer } from '@outdial/agents';
import { accountIdSchema, agentSettingsSchema, callIdSchema, type TryEvent, type UsageEntry } from '@outdial/contracts';
import { createEgressFetch, createEgressSockets, envEgressAllow } from '@outdial/egress';
import { createLogger, systemClock } from '@outdial/kernel';
import { createSockets } from '@outdial/minds';
import { createMediaClock, encodeG711 } from '@outdial/telephony';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createMinds } from '../../src/model-thread/open-mind.ts';
import { SoundConversation } from '../../src/tries/sound/sound-conversation.ts';
import { conductedAgent, type RealtimeProvider } from '../models/conducted-agent.ts';
import { startSimulatedProvider } from '../models/simulated-provider.ts';

const HELLO = 'Hello?';
const BYE = 'That is fine, thank you.';
const OPENING = 'Good morning Anna, this is the dental practice.';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [{ when: /thank you/, say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } }],
  otherwise: { say: 'Could you say that again?' },
};
const SPEED = 4;
const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const person = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => speech.close());

/** A try whose person is the test, with the frames of a microphone. */
async function talk(provider: RealtimeProvider | 'cascade') {
  const sentences = await Promise.all([HELLO, BYE].map(async (text) => ({ text, samples: await person(text) })));
  await Promise.all([OPENING, 'Goodbye.'].map(speak));
  const at = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => at.close());
  const { settings, models } =
    provider === 'cascade' ? conductedAgent('cascade', at) : conductedAgent('realtime', at, { provider });
  const parsed = agentSettingsSchema.parse(settings);
  if (parsed.driver === 'scripted') throw new Error('not conducted');
  const limits = { allowed: envEgressAllow.parse('127.0.0.1'), proxy: null };
  const [sockets, streams] = [createEgressSockets(limits), createEgressFetch(limits)];
  closers.push(() => streams.close());
  const logger = createLogger({ name: 'test', level: 'silent' });
  const clock = systemClock;
  const openMind = createMinds({
    openSocket: (scope) => createSockets({ clock, egress: sockets, scope }),
    fetch: (scope) => streams.fetch(scope),
    clock,
  });
  const events: TryEvent[] = [];
  const used: UsageEntry[] = [];
  const sounds: { readonly firstFrame: number; readonly ulaw: Uint8Array }[] = [];
  let reason: string | null = null;
  const conversation = new SoundConversation({
    call: {
      callId: callIdSchema.parse(randomUUID()),
      accountId: accountIdSchema.parse(randomUUID()),
      settings: parsed,
      variables: { name: 'Anna' },
      models,
      secrets: new Map(),
    },
    openMind,
    tools: { run: async () => ({ kind: 'ok', output: '' }) },
    mediaClock: createMediaClock({ clock, speed: SPEED, onError: (error) => expect(error).toBeNull() }),
    speech,
    meter: { add: (entries) => void used.push(...entries) },
    clock,
    logger,
    report: (event) => void events.push(event),
    onUsage: () => undefined,
    onSound: (firstFrame, ulaw) => sounds.push({ firstFrame, ulaw }) > 0,
    onCleared: () => undefined,
    onOver: (why) => {
      reason = why;
    },
  });
  closers.push(() => conversation.close());
  return {
    conversation,
    events,
    used,
    sounds,
    reason: () => reason,
    /** In messages of 100 ms, as a browser sends them. */
    async say(text: string): Promise<void> {
      const samples = await person(text);
      const ulaw = new Uint8Array(Math.ceil(samples.length / 800) * 800).fill(0xff);
      encodeG711('PCMU', samples, ulaw, 0);
      for (let from = 0; from < ulaw.length; from += 800) {
        conversation.hear(ulaw.subarray(from, from + 800));
        await new Promise((resolve) => systemClock.after(100 / SPEED, () => resolve(null)));
      }
    },
  };
}

test.each(['openai', 'cascade'] as const)('%s talks with a person at a microphone to its end', async (provider) => {
  const { conversation, events, used, sounds, reason, say } = await talk(provider);
  const said = (type: 'agent_text' | 'callee_text') =>
    events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : []));
  conversation.begin();
  await say(HELLO);
  await expect.poll(() => said('agent_text'), { timeout: 10_000 }).toEqual([OPENING]);
  await say(BYE);
  await expect.poll(() => reason(), { timeout: 10_000 }).toBe('agent_hangup');
  await conversation.close();
  expect(said('callee_text')).toEqual([HELLO, BYE]);
  expect(said('agent_text')).toEqual([OPENING, 'Goodbye.']);
  expect(sounds.some(({ ulaw }) => ulaw.some((code) => code !== 0xff))).toBe(true);
  const places = sounds.map(({ firstFrame }) => firstFrame);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(used.length).toBeGreaterThan(0);
});
