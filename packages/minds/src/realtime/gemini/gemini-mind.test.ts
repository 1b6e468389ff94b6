import { systemClock } from '@outdial/kernel';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GeminiRecording } from '../../../test/gemini-recording.ts';
import { expectNothingLeft } from '../../../test/nothing-left.ts';
import { loopbackSockets } from '../../../test/loopback.ts';
import { startProvider, ulawOf, type Provider } from '../../../test/provider.ts';
import { KEY } from '../../../test/recorded-mind.ts';
import { createSockets } from '../../sockets.ts';

const HELLO = 'Hello?';
const YES = 'Yes, Tuesday is fine.';
const SEE_YOU = 'Thank you. See you on Tuesday.';
const GREETING = 'Good morning, this is the dental practice of Doctor Miller.';
const LONG = 'This is a rather long sentence, which comes in many pieces.';
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object' } };
const SCRIPT = {
  opening: { say: GREETING },
  rules: [
    { when: /Tuesday/, say: SEE_YOU },
    { when: /Hello/, say: 'Let me see.', tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
    { when: /free slots/, say: 'There is a slot at nine.' },
    { when: /pressed 1/, say: 'You pressed one.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};

let provider: Provider;
let conversation: GeminiRecording;
async function serve(timings: Parameters<typeof startProvider>[0]['timings'] = {}): Promise<void> {
  await provider.close();
  provider = await startProvider({ script: SCRIPT, sentences: [HELLO, YES], timings });
}
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT, sentences: [HELLO, YES] });
});
afterEach(async () => {
  conversation.mind.close();
  await expectNothingLeft(provider);
  await provider.close();
});

type Given = ConstructorParameters<typeof GeminiRecording>;

function open(changes: Given[1] = {}, options: Given[2] = {}): GeminiRecording {
  conversation = new GeminiRecording(provider, changes, options);
  return conversation;
}

/** A sentence of the callee, as the ear of the call notices it too. */
function say(text: string, fromMs: number): void {
  conversation.mind.calleeSpeech?.({ kind: 'began', atMs: fromMs });
  conversation.hear(text, fromMs);
  conversation.mind.calleeSpeech?.({ kind: 'ended', atMs: fromMs + ulawOf(text).length / 8 });
}

const lengthMs = (text: string): number => ulawOf(text).length / 8;
const soundMs = (item: string): number => conversation.sound(item).length / 8;

describe('a conversation', () => {
  test('transcribes the callee with the times of the call, and answers with words and sound of the telephone', async () => {
    open();
    await conversation.next('ready');
    conversation.mind.openGate();
    say(YES, 1_000);
    expect(await conversation.next('callee_speaking')).toMatchObject({ atMs: 1_000 });
    const said = await conversation.next('callee_said');
    expect(said).toMatchObject({ text: YES, startMs: 1_000, endMs: 1_000 + lengthMs(YES) });
    const { item } = await conversation.next('item_over');
    expect(soundMs(item)).toBe(lengthMs(SEE_YOU));
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    expect(conversation.words(item)).toBe(SEE_YOU);
    expect(conversation.of('ignored')).toEqual([]);
  });

  test('what the model says before the gate opens is not heard, and the model learns it', async () => {
    open();
    await conversation.next('ready');
    say(YES, 0);
    expect((await conversation.next('callee_said')).text).toBe(YES);
    await conversation.next('usage');
    expect(conversation.of('sound')).toEqual([]);
    conversation.mind.openGate();
    conversation.mind.respond();
    const { item } = await conversation.next('item_over');
    await conversation.next('answer_over');
    expect(conversation.words(item)).toBe(SEE_YOU);
    expect(conversation.of('item_over')).toHaveLength(1);
  });

  test('what the callee says before the gate opens is answered by the first message alone, however late the model is', async () => {
    await serve({ thinkMs: 100 });
    open({ settings: { tools: [LOOKUP] } });
    conversation.mind.say(GREETING);
    await conversation.next('answer_over');
    say(HELLO, 0);
    conversation.mind.openGate();
    // The model calls a tool, of which nothing is known.
    expect((await conversation.next('callee_said')).text).toBe(HELLO);
    expect(await conversation.next('answer_over', 2)).toMatchObject({ outcome: 'cancelled' });
    expect([conversation.of('item_over').length, conversation.of('tool_call').length]).toEqual([1, 0]);
    say(YES, 1_000);
    await conversation.next('answer_over', 3);
    expect(conversation.words(conversation.of('item_over').at(-1)?.item ?? '')).toBe(SEE_YOU);
  });

  test('the callee does not cut off a first message that is made before the gate opens', async () => {
    await serve({ soundSpeed: 20 });
    open();
    conversation.mind.say(GREETING);
    await conversation.next('sound');
    say(YES, 0);
    const { item } = await conversation.next('item_over');
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed' });
    expect(soundMs(item)).toBe(lengthMs(GREETING));
    expect((await conversation.next('callee_said')).text).toBe(YES);
  });

  test('speaks given texts word for word, one after the other', async () => {
    open();
    conversation.mind.say('Please call "us" back.');
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    const items = conversation.of('item_over').map(({ item }) => conversation.words(item));
    expect(items).toEqual(['Please call "us" back.', 'Two.']);
  });

  test('an answer that was asked for takes the place of one that the model had not begun', async () => {
    await serve({ thinkMs: 300 });
    open();
    await conversation.next('ready');
    conversation.mind.openGate();
    say(HELLO, 0);
    await conversation.next('callee_speaking');
    conversation.mind.say('Second.');
    const { item } = await conversation.next('item_over');
    await conversation.next('answer_over');
    expect(conversation.words(item)).toBe('Second.');
    expect(conversation.of('answer_over')).toHaveLength(1);
  });

  test('answers keys like speech', async () => {
    open();
    await conversation.next('ready');
    conversation.mind.openGate();
    conversation.mind.pressed('1');
    const { item } = await conversation.next('item_over');
    await conversation.next('answer_over');
    expect(conversation.words(item)).toBe('You pressed one.');
  });

  test('waits for no words where nothing is transcribed', async () => {
    open({ settings: { transcription: null } });
    await conversation.next('ready');
    conversation.mind.openGate();
    say(YES, 0);
    expect(await conversation.next('callee_said')).toMatchObject({ text: null, startMs: 0 });
    conversation.mind.calleeSpeech?.({ kind: 'began', atMs: 5_000 });
    await conversation.next('answer_over');
    await conversation.mind.callOver();
  });
});

describe('a tool', () => {
  test('is called after the words of its answer, and its result is answered', async () => {
    open({ settings: { tools: [LOOKUP] } });
    await conversation.next('ready');
    conversation.mind.openGate();
    say(HELLO, 0);
    const call = await conversation.next('tool_call');
    expect(call).toMatchObject({ name: 'lookup', argumentsText: '{"day":"Tuesday"}' });
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    const { item } = await conversation.next('item_over', 2);
    await conversation.next('answer_over', 2);
    expect(conversation.words(item)).toBe('There is a slot at nine.');
  });

  test('lets the agent speak while it runs, and is not answered where no answer is wanted', async () => {
    open({ settings: { tools: [LOOKUP] } });
    await conversation.next('ready');
    conversation.mind.openGate();
    say(HELLO, 0);
    const call = await conversation.next('tool_call');
    conversation.mind.say('One moment.');
    await conversation.next('answer_over', 2);
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: false });
    conversation.mind.say('Done.');
    await conversation.next('answer_over', 3);
    const items = conversation.of('item_over').map(({ item }) => conversation.words(item));
    expect(items).toEqual(['Let me see.', 'One moment.', 'Done.']);
    conversation.mind.toolResult({ id: call.id, output: 'again', answer: true });
    expect(conversation.of('failed')).toEqual([]);
  });

  test('that is called before the gate opens is not run', async () => {
    open({ settings: { tools: [LOOKUP] } });
    await conversation.next('ready');
    say(HELLO, 0);
    await conversation.next('usage');
    expect(conversation.of('tool_call')).toEqual([]);
    conversation.mind.openGate();
    conversation.mind.say('Good morning.');
    await conversation.next('answer_over');
    expect(conversation.of('failed')).toEqual([]);
  });
});

describe('a cut', () => {
  test('ends the answer, and nothing more of it is heard', async () => {
    await serve({ soundSpeed: 10 });
    open();
    conversation.mind.openGate();
    conversation.mind.say(LONG);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 100, heardText: 'This is' });
    conversation.mind.cut({ item, playedMs: 200, heardText: 'This is a' });
    const before = conversation.sound(item).length;
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'cancelled' });
    expect(conversation.sound(item)).toHaveLength(before);
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    expect(conversation.words(conversation.of('item_over').at(-1)?.item ?? '')).toBe('Two.');
    expect(conversation.of('failed')).toEqual([]);
  });

  test('by the voice of the callee ends the answer, and the callee is answered', async () => {
    await serve({ soundSpeed: 10 });
    open();
    conversation.mind.openGate();
    conversation.mind.say(LONG);
    await conversation.next('sound');
    say(YES, 0);
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'cancelled' });
    await conversation.next('answer_over', 2);
    expect(conversation.words(conversation.of('item_over').at(-1)?.item ?? '')).toBe(SEE_YOU);
  });
});

describe('the end of the call', () => {
  test('ends the last turn of the callee, and reports its words and usage', async () => {
    open();
    await conversation.next('ready');
    conversation.mind.openGate();
    conversation.mind.calleeSpeech?.({ kind: 'began', atMs: 0 });
    conversation.hearOnly(YES);
    await conversation.mind.callOver();
    expect(conversation.of('callee_said')).toMatchObject([{ text: YES }]);
    expect(conversation.of('sound')).toEqual([]);
  });

  test('waits for the usage of an answer, which is what the provider bills', async () => {
    await serve({ soundSpeed: 10 });
    open();
    conversation.mind.openGate();
    conversation.mind.say(LONG);
    await conversation.next('sound');
    await conversation.mind.callOver();
    const used = conversation.of('usage').flatMap(({ entries }) => entries);
    const tokens = used.reduce((sum, { quantity }) => sum + quantity, 0);
    expect(tokens).toBe(provider.billedTokens());
    expect(tokens).toBeGreaterThan(0);
    expect(used.every((entry) => entry.provider === 'google' && entry.component === 'realtime')).toBe(true);
  });

  test('of a call in which nothing was said is at once', async () => {
    open();
    await conversation.next('ready');
    await conversation.mind.callOver();
    const { events } = conversation;
    conversation.mind.close();
    conversation.mind.say('Too late.');
    say(YES, 0);
    expect(events.map(({ kind }) => kind)).toEqual(['ready']);
  });
});

describe('a connection', () => {
  test('that is lost is replaced with all that was said, and the result of a tool reaches the new one', async () => {
    open({ settings: { tools: [LOOKUP] } }, { reconnects: true });
    await conversation.next('ready');
    conversation.mind.openGate();
    say(HELLO, 0);
    const call = await conversation.next('tool_call');
    await conversation.next('answer_over');
    provider.disconnect();
    await conversation.next('recovered');
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    await conversation.next('answer_over', 2);
    expect(conversation.words(conversation.of('item_over').at(-1)?.item ?? '')).toBe('There is a slot at nine.');
  });

  test('that the provider will end is replaced in a pause, and that is no loss', async () => {
    const openSocket = createSockets({ clock: systemClock, egress: loopbackSockets(provider.ca), scope: 'allow_list' });
    let closed = 0;
    open(
      {
        settings: { model: 'go-away' },
        openSocket(...given) {
          const socket = openSocket(...given);
          return {
            send: (data) => socket.send(data),
            close() {
              closed += 1;
              socket.close();
            },
          };
        },
      },
      { reconnects: true },
    );
    conversation.mind.openGate();
    conversation.mind.say(GREETING);
    await conversation.next('answer_over');
    expect(closed).toBe(0);
    await vi.waitUntil(() => {
      conversation.hearSilence(40);
      return closed === 1;
    });
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    const connections = conversation.of('item_over').map(({ item }) => item.split('_')[0]);
    expect(new Set(connections).size).toBe(2);
    expect(conversation.of('recovered')).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    ['a wrong key', { credential: 'sk-live-canary-4711' }, 'rejected'],
    ['an unknown model', { settings: { model: 'gemini-nano' } }, 'rejected'],
    ['a spent quota', { settings: { model: '429' } }, 'rate_limited'],
    ['an overloaded provider', { settings: { model: '503' } }, 'unreachable'],
    ['a model that the key may not use', { settings: { model: '401' } }, 'rejected'],
    ['settings that the provider refuses', { settings: { maxOutputTokens: 1_000_000 } }, 'rejected'],
  ])('is told apart and never quotes the key: %s', async (_name, changes, kind) => {
    open(changes);
    const { failure } = await conversation.next('failed');
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toMatch(/canary|4711|sk-/);
    expect(conversation.of('ready')).toEqual([]);
  });

  test.each([
    ['drop-after-2-deltas', 'dropped', 2],
    ['close-1000', 'dropped', 0],
    ['error-event', 'dropped', 0],
    ['garbage-json', 'invalid_response', 0],
  ])('in an answer ends the mind: %s, %s', async (model, kind, sounds) => {
    open({ settings: { model } });
    conversation.mind.say(LONG);
    expect((await conversation.next('failed')).failure.kind).toBe(kind);
    expect(conversation.of('sound')).toHaveLength(sounds);
    expect(conversation.events.at(-1)?.kind).toBe('failed');
  });

  test('no-usage is billed, and nothing of it is known', async () => {
    open({ settings: { model: 'no-usage' } }).mind.say(LONG);
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    expect(conversation.of('usage')).toEqual([]);
    expect(provider.billedTokens()).toBeGreaterThan(0);
    expect(KEY).toContain('canary');
  });
});
