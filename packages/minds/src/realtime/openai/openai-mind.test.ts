import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { systemClock } from '@outdial/kernel';
import { afterEach, describe, expect, test } from 'vitest';
import { expectNothingLeft } from '../../../test/nothing-left.ts';
import { DIALECTS, KEY, RecordedMind } from '../../../test/recorded-mind.ts';
import type { OpenAiMindInput } from './openai-mind.ts';
import { startProvider, ulawOf, type Provider } from '../../../test/provider.ts';

const HELLO = 'Hello?';
const YES = 'Yes, Tuesday is fine.';
const SCRIPT = {
  opening: { say: 'Good morning, this is the dental practice of Doctor Miller.' },
  rules: [
    { when: /Tuesday/, say: 'Thank you. See you on Tuesday.' },
    { when: /Hello/, tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
    { when: /free slots/, say: 'There is a slot at nine.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object' } };

type Case = (typeof DIALECTS)[number];

const providers: Provider[] = [];
const minds: RecordedMind[] = [];

async function provider(timings: Parameters<typeof startProvider>[0]['timings'] = {}): Promise<Provider> {
  const started = await startProvider({ script: SCRIPT, sentences: [HELLO, YES], timings });
  providers.push(started);
  return started;
}

/** Opens minds of a dialect with its settings. */
function open(of: Case, started: Provider, changes: Partial<OpenAiMindInput> = {}): RecordedMind {
  const { dialect, settings } = of;
  const opened = new RecordedMind(started, { dialect, settings, ...changes });
  minds.push(opened);
  return opened;
}

afterEach(async () => {
  for (const { mind } of minds.splice(0)) mind.close();
  for (const started of providers.splice(0)) {
    await expectNothingLeft(started);
    await started.close();
  }
});

describe.each(DIALECTS)('over $provider', (of) => {
  const { dialect, settings } = of;

  describe('a conversation', () => {
    test('transcribes the callee with the times of the call, and answers with words and sound', async () => {
      const conversation = open(of, await provider());
      await conversation.next('ready');
      conversation.mind.openGate();
      conversation.hearSilence(1_000);
      conversation.hear(YES);
      const said = await conversation.next('callee_said');
      expect(said.text).toBe(YES);
      if (of.tellsTimes) expect(said.startMs).toBeCloseTo(1_000, -1);
      const { item } = await conversation.next('item_over');
      expect(conversation.words(item)).toBe('Thank you. See you on Tuesday.');
      expect(conversation.sound(item).equals(ulawOf('Thank you. See you on Tuesday.'))).toBe(true);
      expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    });

    test('says nothing before the gate opens, and knows what it heard before', async () => {
      const conversation = open(of, await provider());
      conversation.hear(YES);
      expect((await conversation.next('callee_said')).text).toBe(YES);
      conversation.mind.openGate();
      conversation.mind.respond();
      const { item } = await conversation.next('item_over');
      expect(conversation.words(item)).toContain('See you on Tuesday');
      expect(conversation.of('answer_over').length).toBeLessThanOrEqual(1);
    });

    test('speaks a given text word for word', async () => {
      const conversation = open(of, await provider());
      conversation.mind.say('Please call "us" back.');
      expect(conversation.words((await conversation.next('item_over')).item)).toBe('Please call "us" back.');
    });

    test('answers one request after the other', async () => {
      const conversation = open(of, await provider());
      conversation.mind.say('One.');
      conversation.mind.say('Two.');
      await conversation.next('answer_over', 2);
      const items = conversation.of('item_over').map(({ item }) => conversation.words(item));
      expect(items).toEqual(['One.', 'Two.']);
      expect(conversation.of('ignored')).toEqual([]);
    });

    test('follows an answer that the provider began by itself', async () => {
      const conversation = open(of, await provider({ thinkMs: 50 }));
      await conversation.next('ready');
      conversation.mind.openGate();
      conversation.hear(YES);
      await conversation.next('callee_speaking');
      conversation.mind.say('Second.');
      await conversation.next('answer_over', 2);
      const items = conversation.of('item_over').map(({ item }) => conversation.words(item));
      expect(items.toSorted()).toEqual(['Second.', 'Thank you. See you on Tuesday.']);
    });

    test('calls a tool, and answers with its result', async () => {
      const conversation = open(of, await provider(), { settings: { ...settings, tools: [LOOKUP] } });
      await conversation.next('ready');
      conversation.mind.openGate();
      conversation.hear(HELLO);
      const call = await conversation.next('tool_call');
      expect(call).toMatchObject({ name: 'lookup', argumentsText: '{"day":"Tuesday"}' });
      conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
      expect(conversation.words((await conversation.next('item_over')).item)).toBe('There is a slot at nine.');
    });

    test('answers keys like speech', async () => {
      const conversation = open(of, await provider());
      await conversation.next('ready');
      conversation.mind.pressed('1');
      expect(conversation.words((await conversation.next('item_over')).item)).toBe('Could you say that again?');
    });
  });

  describe('a cut', () => {
    test('ends the answer, drops the rest of it, and never exceeds the sound that was received', async () => {
      const conversation = open(of, await provider({ soundSpeed: 2 }));
      conversation.mind.say('This is a rather long sentence that the callee breaks into.');
      const { item } = await conversation.next('sound');
      conversation.mind.cut({ item, playedMs: 60_000, heardText: 'This' });
      const heard = conversation.sound(item).length;
      expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'cancelled' });
      expect(conversation.sound(item)).toHaveLength(heard);
      // The provider rejects a truncation beyond its sound.
      expect(conversation.of('ignored')).toEqual([]);
    });

    test('of an item that is complete leaves the next answer alone', async () => {
      const conversation = open(of, await provider());
      conversation.mind.say('One.');
      const { item } = await conversation.next('item_over');
      await conversation.next('answer_over');
      conversation.mind.cut({ item, playedMs: 10, heardText: '' });
      conversation.mind.say('Two.');
      expect(await conversation.next('answer_over', 2)).toMatchObject({ outcome: 'completed' });
    });
  });

  describe('the end of the call', () => {
    test('ends the callee’s last turn, with its words and usage, and gets no answer', async () => {
      const started = await provider();
      const conversation = open(of, started);
      await conversation.next('ready');
      conversation.mind.openGate();
      conversation.hearSilence(400);
      conversation.hearOnly(YES);
      await conversation.next('callee_speaking');
      await conversation.mind.callOver();
      const endMs = 400 + ulawOf(YES).length / 8;
      expect(conversation.of('callee_said')).toMatchObject([{ text: YES, endMs }]);
      if (of.tellsTimes) expect(conversation.of('callee_said')[0]?.startMs).toBeCloseTo(400, -2);
      const used = conversation.of('usage').flatMap(({ entries }) => entries);
      if (dialect.billedBy === 'tokens') expect(used.map(({ component }) => component)).toContain('stt');
      expect(conversation.of('answer_over')).toEqual([]);
      expect(started.billedTokens()).toBe(0);
    });

    test('ends an answer that has no words yet, and waits for no more of it', async () => {
      const started = await provider({ thinkMs: 60_000 });
      const conversation = open(of, started);
      await conversation.next('ready');
      conversation.mind.openGate();
      conversation.hear(YES);
      await conversation.next('callee_said');
      await conversation.mind.callOver();
      expect(conversation.of('answer_over')).toMatchObject([{ outcome: 'cancelled' }]);
      const used = conversation.of('usage').flatMap(({ entries }) => entries);
      const tokens = used
        .filter(({ component }) => component === 'realtime')
        .reduce((sum, one) => sum + one.quantity, 0);
      if (dialect.billedBy === 'time') return;
      expect(tokens).toBe(started.billedTokens());
      expect(tokens).toBeGreaterThan(0);
    });

    test('waits for no words where nothing is transcribed', async () => {
      const conversation = open(of, await provider(), { settings: { ...settings, transcription: null } });
      await conversation.next('ready');
      conversation.hear(YES);
      expect(await conversation.next('callee_said')).toMatchObject({ text: null });
      conversation.hearOnly(YES);
      await conversation.next('callee_speaking', 2);
      await conversation.mind.callOver();
      expect(conversation.of('callee_said')).toHaveLength(2);
    });
  });

  describe('a failure', () => {
    test.each([
      ['a wrong key', { credential: 'sk-live-canary-4711' }, 'rejected'],
      ['a rate limit', { settings: { ...settings, model: '429' } }, 'rate_limited'],
      ['an overloaded provider', { settings: { ...settings, model: '503' } }, 'unreachable'],
      ['settings that the provider refuses', { settings: { ...settings, ...of.refused } }, 'rejected'],
    ])('is told apart and never quotes the key: %s', async (_name, changes, kind) => {
      const conversation = open(of, await provider(), changes);
      const { failure } = await conversation.next('failed');
      expect(failure.kind).toBe(kind);
      expect(failure.message).not.toMatch(/canary|4711|sk-/);
      if (kind === 'rate_limited') expect(failure.retryAfterMs).toBe(1_000);
      expect(conversation.of('ready')).toEqual([]);
    });

    test('of the connection during the call is reported once, a clean close too', async () => {
      const started = await provider();
      const conversation = open(of, started);
      await conversation.next('ready');
      await providers.pop()?.close();
      expect((await conversation.next('failed')).failure.kind).toBe('dropped');
    });

    test('is reported in time when the provider says nothing', async () => {
      const silent: Server = createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const conversation = open(
        of,
        { ...(await provider()), baseUrlOf: () => `ws://127.0.0.1:${port}/v1` },
        { readyLimit: { watch: (late) => systemClock.after(50, late) } },
      );
      expect((await conversation.next('failed')).failure).toMatchObject({ kind: 'unreachable', component: 'realtime' });
      silent.close();
    });

    test('leaves nothing to hear after the end', async () => {
      const conversation = open(of, await provider());
      await conversation.next('ready');
      conversation.mind.close();
      const before = conversation.events.length;
      conversation.hear(YES);
      conversation.mind.say('Too late.');
      await providers.pop()?.close();
      expect(conversation.events).toHaveLength(before);
      expect(KEY).toContain('canary');
    });
  });
});

// xAI does not promise to leave turns unanswered.
describe.each(DIALECTS.filter(({ provider }) => provider !== 'xai'))('over $provider', (of) => {
  test.each(['near_field', 'far_field'] as const)('accepts a noise reduction of %s', async (noiseReduction) => {
    const conversation = open(of, await provider(), { settings: { ...of.settings, noiseReduction } });
    await conversation.next('ready');
    expect(conversation.of('failed')).toEqual([]);
  });

  test('says what it was asked for, and no answer beside it, when the gate opens before the provider is there', async () => {
    const conversation = open(of, await provider());
    conversation.mind.say('Good morning.');
    conversation.mind.openGate();
    conversation.hear(HELLO);
    await conversation.next('callee_said');
    await conversation.next('answer_over');
    conversation.hear(YES);
    await conversation.next('answer_over', 2);
    const items = conversation.of('item_over').map(({ item }) => conversation.words(item));
    expect(items).toEqual(['Good morning.', 'Thank you. See you on Tuesday.']);
  });
});
