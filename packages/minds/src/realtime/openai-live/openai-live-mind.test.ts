import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectNothingLeft } from '../../../test/nothing-left.ts';
import { LiveRecording } from '../../../test/openai-live-recording.ts';
import { startProvider, ulawOf, type Provider } from '../../../test/provider.ts';

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
/** The stream has no finer pieces. */
const CHUNK_MS = 100;

let provider: Provider;
let conversation: LiveRecording;
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT, sentences: [HELLO, YES] });
});
afterEach(async () => {
  conversation.end();
  await expectNothingLeft(provider);
  await provider.close();
});

type Given = ConstructorParameters<typeof LiveRecording>;

function open(changes: Given[1] = {}, options: Given[2] = {}): LiveRecording {
  conversation = new LiveRecording(provider, changes, options);
  return conversation;
}

/** The callee has picked up, and the connection is there. */
async function answered(changes: Given[1] = {}, options: Given[2] = {}): Promise<LiveRecording> {
  open(changes, options).answer();
  await conversation.next('ready');
  return conversation;
}

/** All words of a turn: they come before the sound that follows the first of them. */
async function wordsCame(): Promise<void> {
  await conversation.next('callee_speaking');
  await conversation.next('sound', conversation.of('sound').length + 1);
}

const lengthMs = (text: string): number => ulawOf(text).length / 8;
const soundMs = (item: string): number => conversation.sound(item).length / 8;
const spoken = (): readonly string[] => conversation.of('item_over').map(({ item }) => conversation.words(item));

describe('a conversation', () => {
  test('transcribes the callee, and answers with words and sound, without the silence around them', async () => {
    await answered();
    conversation.mind.openGate();
    conversation.hear(YES);
    await conversation.next('callee_speaking');
    expect(await conversation.next('callee_said')).toMatchObject({ text: YES });
    const { item } = await conversation.next('item_over');
    expect(soundMs(item)).toBeGreaterThanOrEqual(lengthMs(SEE_YOU));
    expect(soundMs(item)).toBeLessThan(lengthMs(SEE_YOU) + CHUNK_MS);
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    expect(conversation.words(item)).toBe(SEE_YOU);
    expect(conversation.of('ignored')).toEqual([]);
  });

  test('what the model begins to say before the gate opens is heard once it is open, from its beginning', async () => {
    await answered();
    conversation.hear(YES);
    await conversation.next('callee_said');
    expect(conversation.of('sound')).toEqual([]);
    conversation.mind.openGate();
    // As an agent does whose callee has spoken: the answer to it is under way.
    conversation.mind.respond();
    const { item } = await conversation.next('item_over');
    expect(conversation.words(item)).toBe(SEE_YOU);
    await conversation.next('answer_over');
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    expect(spoken()).toEqual([SEE_YOU, 'Two.']);
  });

  test('a text that is to be said takes the place of what the model says before the gate opens', async () => {
    await answered();
    conversation.hear(YES);
    await conversation.next('callee_said');
    conversation.mind.say('Please call back.');
    await conversation.next('answer_over');
    conversation.mind.openGate();
    expect(spoken()).toEqual(['Please call back.']);
  });

  test('the callee does not cut off a first message that is made before the gate opens', async () => {
    open().mind.say(GREETING);
    conversation.answer();
    await conversation.next('sound');
    conversation.hear(YES);
    await conversation.next('answer_over');
    conversation.mind.openGate();
    await conversation.next('callee_speaking');
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    expect(conversation.of('callee_said')).toMatchObject([{ text: YES }]);
    // The greeting was the answer.
    expect(spoken()).toEqual([GREETING, 'Two.']);
  });

  test('speaks given texts word for word, one after the other, however long', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `${at} かかりつけの歯科`).join(' ');
    await answered();
    conversation.mind.say('Please call "us" back.');
    conversation.mind.say(long);
    await conversation.next('answer_over', 2);
    expect(spoken()).toEqual(['Please call "us" back.', long]);
    expect(conversation.of('ignored')).toEqual([]);
  }, 20_000);

  test('says what the callee is to hear whole to its end while they speak, and hears them then', async () => {
    await answered();
    conversation.mind.openGate();
    conversation.mind.say(LONG, { isWhole: true });
    await conversation.next('sound');
    conversation.hear(YES);
    await conversation.next('answer_over');
    expect(spoken()).toEqual([LONG]);
    await conversation.next('callee_speaking');
    expect(conversation.of('callee_speaking')).toHaveLength(1);
  });

  test('answers keys like speech', async () => {
    await answered();
    conversation.mind.openGate();
    conversation.mind.pressed('1');
    await conversation.next('answer_over');
    expect(spoken()).toEqual(['You pressed one.']);
  });
});

describe('a tool', () => {
  test('is delegated after the words of its answer, and its result is answered', async () => {
    await answered({ settings: { tools: [LOOKUP] } });
    conversation.mind.openGate();
    conversation.hear(HELLO);
    const call = await conversation.next('tool_call');
    expect(call).toMatchObject({ name: 'lookup', argumentsText: '{"day":"Tuesday"}' });
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    await conversation.next('answer_over', 2);
    expect(spoken()).toEqual(['Let me see.', 'There is a slot at nine.']);
    const used = conversation.of('usage').flatMap(({ entries }) => entries);
    const tokens = used.flatMap(({ component, quantity }) => (component === 'llm' ? [quantity] : []));
    expect(tokens.reduce((sum, more) => sum + more, 0)).toBe(provider.ledger.total({ component: 'llm' }));
    expect(conversation.of('ignored')).toEqual([]);
  });

  test('that is called before the gate opens is run once it is open', async () => {
    await answered({ settings: { tools: [LOOKUP] } });
    conversation.hear(HELLO);
    await conversation.next('usage');
    expect(conversation.of('tool_call')).toEqual([]);
    conversation.mind.openGate();
    conversation.mind.respond();
    const call = await conversation.next('tool_call');
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    await expect.poll(spoken).toContain('There is a slot at nine.');
    expect(conversation.of('tool_call')).toHaveLength(1);
  });

  test('that is called too early is not called again before the gate opens', async () => {
    const call = { tool: { name: 'lookup', arguments: {} } };
    await provider.close();
    provider = await startProvider({ script: { opening: {}, rules: [], otherwise: call }, sentences: [HELLO] });
    await answered({ settings: { tools: [LOOKUP] } });
    conversation.hear(HELLO);
    await conversation.next('usage');
    conversation.hear(HELLO);
    await conversation.next('callee_said', 2);
    await conversation.next('usage', 2);
    // Each turn has made the other model work once.
    expect(conversation.of('usage')).toHaveLength(2);
    conversation.mind.openGate();
    conversation.mind.respond();
    await conversation.next('tool_call');
    expect(conversation.of('ignored')).toEqual([]);
  });

  test('whose call another session made is a note in the next one', async () => {
    const history = [{ kind: 'tool_call', id: 'c1', name: 'lookup', argumentsText: '{}' }] as const;
    await answered({ settings: { tools: [LOOKUP] }, history });
    conversation.mind.openGate();
    conversation.mind.toolResult({ id: 'c1', output: 'free slots: 9:00', answer: true });
    await conversation.next('answer_over');
    expect(spoken()).toEqual(['There is a slot at nine.']);
  });
});

test('what the callee says over a first message is another turn than what they said before the gate opened', async () => {
  open().mind.say(LONG);
  conversation.ear = true;
  conversation.answer();
  await conversation.next('sound');
  conversation.hear(HELLO);
  conversation.mind.openGate();
  await wordsCame();
  conversation.hear(YES);
  await conversation.next('callee_said', 2);
  expect(conversation.of('callee_said').map(({ text }) => text)).toEqual([HELLO, YES]);
});

test('what the callee says over an answer is another turn, where the words of the first come late', async () => {
  await provider.close();
  provider = await startProvider({ script: SCRIPT, sentences: [YES], timings: { transcribeMs: 30 } });
  await answered();
  conversation.ear = true;
  conversation.mind.openGate();
  conversation.hear(YES);
  await conversation.next('sound');
  await wordsCame();
  conversation.hear(YES);
  await conversation.next('callee_said', 2);
  expect(conversation.of('callee_said').map(({ text }) => text)).toEqual([YES, YES]);
});

describe('a cut', () => {
  test('ends the sound of the answer, and what the model says next is another one', async () => {
    await answered();
    conversation.ear = true;
    conversation.mind.openGate();
    conversation.mind.say(LONG);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 100, heardText: 'This is' });
    const before = conversation.sound(item).length;
    conversation.mind.cut({ item, playedMs: 200, heardText: 'This is a' });
    conversation.hear(YES);
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'cancelled' });
    expect(conversation.sound(item).length).toBe(before);
    await conversation.next('answer_over', 2);
    expect(spoken().at(-1)).toBe(SEE_YOU);
  });

  test('of a model that goes on: what it says after the callee has paused is heard', async () => {
    await answered();
    conversation.mind.openGate();
    conversation.mind.say(LONG);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 100, heardText: 'This' });
    conversation.mind.calleeSpeech?.({ kind: 'paused', atMs: 500 });
    const over = await conversation.next('item_over', 2);
    expect(over.item).not.toBe(item);
    expect(conversation.words(over.item)).toMatch(/pieces\.$/);
  });
});

test('a model that chooses to say nothing has given an empty answer', async () => {
  await provider.close();
  const quiet = { opening: {}, rules: [], otherwise: {} };
  provider = await startProvider({ script: quiet, sentences: [YES] });
  await answered();
  conversation.mind.openGate();
  conversation.mind.respond();
  expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: true });
});

describe('the time of a session', () => {
  test('is reported by the provider, to its last second when the call is over', async () => {
    await answered();
    conversation.mind.openGate();
    conversation.hearOnly(YES);
    await conversation.mind.callOver();
    expect(conversation.of('callee_said')).toMatchObject([{ text: YES }]);
    conversation.end();
    const used = conversation.of('usage').flatMap(({ entries }) => entries);
    expect(used).toMatchObject([{ component: 'realtime', provider: 'openai_live', unit: 'second', quantity: 1 }]);
    expect(used[0]?.estimated).toBeUndefined();
    expect(provider.ledger.total({ unit: 'second' })).toBe(1);
  });

  test('is counted by us where the provider does not report it', async () => {
    await answered({ settings: { model: 'no-usage' } });
    conversation.mind.say('Two.');
    await conversation.next('answer_over');
    await conversation.mind.callOver();
    conversation.end();
    const used = conversation.of('usage').flatMap(({ entries }) => entries);
    expect(used).toMatchObject([{ unit: 'second', estimated: true }]);
  });
});

describe('a lost connection', () => {
  test('is replaced by one that knows what was said, and answers it', async () => {
    await answered({}, { reconnects: true });
    conversation.mind.openGate();
    conversation.hear(YES);
    await conversation.next('answer_over');
    provider.disconnect();
    await conversation.next('recovered');
    conversation.mind.respond();
    await conversation.next('answer_over', 2);
    expect(spoken()).toEqual([SEE_YOU, SEE_YOU]);
    expect(conversation.of('ignored')).toEqual([]);
  });

  test('is replaced in a pause, before the provider ends it', async () => {
    await answered({ settings: { model: 'go-away' } }, { reconnects: true });
    conversation.mind.openGate();
    await expect.poll(() => provider.ledger.total({ unit: 'second' })).toBeGreaterThan(0);
    conversation.mind.say('Two.');
    await conversation.next('answer_over');
    expect(spoken()).toEqual(['Two.']);
    expect(conversation.of('recovered')).toEqual([]);
  });
});

test.each([
  ['a session with a model that does not exist', 'no-such-model', 'rejected'],
  ['an answer of an overloaded model', 'error-event', 'dropped'],
])('%s fails', async (_what, model, kind) => {
  open({ settings: { model } }).mind.say(LONG);
  conversation.answer();
  await expect.poll(() => conversation.of('failed')).toHaveLength(1);
  expect(conversation.of('failed')[0]?.failure).toMatchObject({ kind });
});
