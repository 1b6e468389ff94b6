import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CascadeStage, KEY } from '../../test/cascade-stage.ts';
import { silence, ulawOf } from '../../test/provider.ts';
import type { Recording } from '../../test/recording.ts';
import type { MindEvent, UsageEntry } from '../mind.ts';
import { deepgramNova } from './stt/deepgram/deepgram-nova.ts';
import { cartesia } from './tts/cartesia/cartesia.ts';
import { deepgramSpeech } from './tts/deepgram/deepgram-speech.ts';

const HELLO = 'Hello?';
const YES = 'Yes, Tuesday is fine.';
const THANKS = 'Thank you, that is noted. See you on Tuesday at the practice.';
const SCRIPT = {
  opening: { say: 'Good morning, this is the dental practice of Doctor Miller.' },
  rules: [
    { when: /Tuesday/, say: THANKS },
    { when: /Hello/, say: 'One moment, please.', tool: { name: 'lookup', arguments: { day: 'Tuesday' } } },
    { when: /free slots/, say: 'There is a slot at nine.' },
    { when: /pressed 1/, say: '**Bold** plans: see [our site](https://example.com/a.b) 😀 today.' },
  ],
  otherwise: { say: 'Could you say that again?' },
};
const LOOKUP = { name: 'lookup', description: 'Finds free slots.', parameters: { type: 'object', properties: {} } };

let stage: CascadeStage;
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT, sentences: [HELLO, YES] });
});
afterEach(() => stage.close());

async function converse(...changes: Parameters<CascadeStage['mind']>): Promise<Recording> {
  const conversation = stage.mind(...changes);
  await conversation.next('ready');
  conversation.mind.openGate();
  return conversation;
}

const wordsOf = (conversation: Recording, count = 1) =>
  conversation.words(conversation.of('item_over')[count - 1]?.item ?? '').trim();

function total(events: readonly MindEvent[], filter: Partial<UsageEntry>): number {
  return events
    .flatMap((event) => (event.kind === 'usage' ? event.entries : []))
    .filter((entry) => Object.entries(filter).every(([key, value]) => Reflect.get(entry, key) === value))
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

/** The roles and contents of the n-th request to the model. */
function messagesOf(count: number): readonly string[] {
  const body: { messages: { role: string; content: string | null }[] } = JSON.parse(stage.requests.at(count) ?? '{}');
  return body.messages.map(({ role, content }) => `${role}: ${content ?? ''}`);
}

describe('a conversation', () => {
  test('transcribes the callee with the times of the call, and answers with words and sound', async () => {
    const conversation = await converse();
    conversation.hearSilence(1_000);
    conversation.hear(YES);
    const said = await conversation.next('callee_said');
    expect(said).toMatchObject({ text: YES, turn: 'turn_1' });
    expect(said.startMs).toBeCloseTo(1_000, -2);
    expect(said.endMs).toBeCloseTo(1_000 + ulawOf(YES).length / 8, -2);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
    expect(conversation.of('answer_over')).toEqual([{ kind: 'answer_over', outcome: 'completed', empty: false }]);
    const parts = ['Thank you, that is noted.', 'See you on Tuesday at the practice.'].map((text) => ulawOf(text));
    expect(conversation.sound('item_1').equals(Buffer.concat(parts))).toBe(true);
  });

  test('reports what an answer waited for, once and before its sound', async () => {
    const conversation = await converse();
    conversation.hear(YES);
    await conversation.next('answer_over');
    const kinds = conversation.events.map(({ kind }) => kind);
    expect(kinds.indexOf('answer_timed')).toBe(kinds.indexOf('sound') - 1);
    const [timed, ...others] = conversation.of('answer_timed');
    expect(timed).toEqual({
      kind: 'answer_timed',
      item: 'item_1',
      endpointingMs: expect.any(Number),
      llmTtftMs: expect.any(Number),
      ttsTtfbMs: expect.any(Number),
    });
    // The silence that was heard after the words, whatever the time of day.
    expect(timed?.endpointingMs).toBeLessThanOrEqual(310);
    expect(others).toEqual([]);
    conversation.mind.say(THANKS);
    await conversation.next('answer_over', 2);
    expect(conversation.of('answer_timed')).toHaveLength(1);
  });

  test('places each word in the sound, after the one before and within what was sent', async () => {
    const conversation = await converse();
    conversation.mind.say(THANKS);
    await conversation.next('answer_over');
    const places = conversation.of('words').map(({ place }) => place ?? { startMs: -1, endMs: -1 });
    expect(places).toHaveLength(THANKS.split(' ').length);
    let lastMs = 0;
    for (const { startMs, endMs } of places) {
      expect(startMs).toBeGreaterThanOrEqual(lastMs - 5);
      expect(endMs).toBeGreaterThan(startMs);
      lastMs = endMs;
    }
    expect(lastMs).toBeLessThanOrEqual(conversation.sound('item_1').length / 8 + 1);
  });

  test('says nothing before the gate opens, and knows what it heard before', async () => {
    const conversation = stage.mind();
    await conversation.next('ready');
    conversation.hear(YES);
    await conversation.next('callee_said');
    expect(stage.requests).toEqual([]);
    conversation.mind.openGate();
    conversation.mind.respond();
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
  });

  test('answers a greeting with its first words alone, although it is understood after they began', async () => {
    const conversation = stage.mind();
    await conversation.next('ready');
    conversation.mind.say(SCRIPT.opening.say);
    conversation.hear(HELLO);
    conversation.mind.openGate();
    await conversation.next('callee_said');
    conversation.hear(YES);
    await conversation.next('answer_over', 2);
    expect([wordsOf(conversation), wordsOf(conversation, 2)]).toEqual([SCRIPT.opening.say, THANKS]);
    expect(messagesOf(-1)).toContain(`user: ${HELLO}`);
  });

  test('speaks given texts word for word, one after the other', async () => {
    const conversation = await converse();
    conversation.mind.say('Please call "us" back.');
    conversation.mind.say('Goodbye.');
    await conversation.next('answer_over', 2);
    expect([wordsOf(conversation, 1), wordsOf(conversation, 2)]).toEqual(['Please call "us" back.', 'Goodbye.']);
    expect(stage.requests).toEqual([]);
  });

  test('speaks first when it is asked to, with a hint that only the model sees', async () => {
    const conversation = await converse();
    conversation.mind.respond('Introduce yourself.');
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(SCRIPT.opening.say);
    expect(messagesOf(0)).toEqual(['system: You call patients of a dental practice.\n\nIntroduce yourself.']);
  });

  test('calls a tool, and answers with its result', async () => {
    const conversation = await converse({ tools: [LOOKUP] });
    conversation.hear(HELLO);
    const call = await conversation.next('tool_call');
    expect(call).toMatchObject({ name: 'lookup', argumentsText: '{"day":"Tuesday"}' });
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    await conversation.next('answer_over', 2);
    expect([wordsOf(conversation, 1), wordsOf(conversation, 2)]).toEqual([
      'One moment, please.',
      'There is a slot at nine.',
    ]);
    expect(messagesOf(1).slice(1)).toEqual([
      `user: ${HELLO}`,
      'assistant: One moment, please.',
      'tool: free slots: 9:00',
    ]);
  });

  test('goes on while a tool runs, and the model knows that it does', async () => {
    const conversation = await converse({ tools: [LOOKUP] });
    conversation.hear(HELLO);
    const call = await conversation.next('tool_call');
    await conversation.next('answer_over');
    conversation.hear(YES);
    await conversation.next('answer_over', 2);
    expect(messagesOf(1)).toContain('tool: {"status":"still running"}');
    conversation.mind.toolResult({ id: call.id, output: 'free slots: 9:00', answer: true });
    await conversation.next('answer_over', 3);
    expect(messagesOf(2)).toContain('tool: free slots: 9:00');
  });

  test('answers keys like speech, and speaks no Markdown, link or emoji', async () => {
    const conversation = await converse();
    conversation.mind.pressed('1');
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe('Bold plans: see our site today.');
  });

  test('begins to think before the turn is certainly over, and asks the model once', async () => {
    const conversation = await converse({ stt: [stage.ears('flux-general-en', 0.4)] });
    conversation.hear(YES);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
    expect(stage.requests).toHaveLength(1);
    const kinds = conversation.events.map(({ kind }) => kind);
    expect(kinds.indexOf('callee_said')).toBeLessThan(kinds.indexOf('sound'));
  });

  test('drops what it thought when the callee goes on', async () => {
    const conversation = await converse({ stt: [stage.ears('flux-general-en', 0.4)] });
    // A pause that is long enough to be likely the end, and too short to be it.
    const sound = Buffer.concat([ulawOf(YES), silence(160), ulawOf('But I meant Monday'), silence(400)]);
    for (let at = 0; at < sound.length; at += 320) conversation.mind.hear(sound.subarray(at, at + 320), at / 8);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(SCRIPT.otherwise.say);
    expect(conversation.of('callee_said')).toHaveLength(1);
    expect(conversation.of('answer_over')).toHaveLength(1);
    expect(stage.requests).toHaveLength(2);
  });

  test('leaves nothing to hear after the end', async () => {
    const conversation = await converse();
    conversation.hear(YES);
    await conversation.next('answer_over');
    conversation.mind.close();
    const before = conversation.events.length;
    conversation.hear(YES);
    conversation.mind.say('Too late.');
    conversation.mind.respond();
    stage.disconnect();
    await stage.close();
    expect(conversation.events).toHaveLength(before);
  });
});

describe('a cut', () => {
  test('ends the answer, and the model remembers what was heard of it', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, sentences: [HELLO, YES], timings: { soundSpeed: 10 } });
    const conversation = await converse();
    conversation.hear(YES);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 200, heardText: 'Thank you,' });
    expect(conversation.of('answer_over')).toEqual([{ kind: 'answer_over', outcome: 'cancelled', empty: false }]);
    const received = conversation.sound(item).length;
    conversation.mind.cut({ item, playedMs: 900, heardText: 'Thank you, that is noted.' });
    conversation.mind.say('Sorry.');
    await conversation.next('answer_over', 2);
    expect(conversation.sound(item)).toHaveLength(received);
    conversation.mind.respond();
    await conversation.next('answer_over', 3);
    expect(messagesOf(-1).slice(1)).toEqual([
      `user: ${YES}`,
      'assistant: Thank you, [interrupted]',
      'assistant: Sorry.',
    ]);
  });

  test('while the model still writes ends that too, and what it read is counted by estimate', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, sentences: [YES], timings: { soundSpeed: 10, tokenMs: 30 } });
    const conversation = await converse();
    conversation.hear(YES);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 100, heardText: 'Thank' });
    const llm = conversation
      .of('usage')
      .flatMap(({ entries }) => entries)
      .filter(({ component }) => component === 'llm');
    expect(llm.map(({ unit, estimated }) => [unit, estimated])).toEqual([
      ['input_text_token', true],
      ['output_text_token', true],
    ]);
    conversation.mind.say('Sorry.');
    await conversation.next('answer_over', 2);
    expect(conversation.words('item_2').trim()).toBe('Sorry.');
  });

  test('of an item that is complete changes what is remembered, and no other answer', async () => {
    const conversation = await converse();
    conversation.mind.say('One two three.');
    await conversation.next('answer_over');
    conversation.mind.cut({ item: 'item_1', playedMs: 300, heardText: 'One' });
    conversation.mind.respond();
    expect(await conversation.next('answer_over', 2)).toMatchObject({ outcome: 'completed' });
    expect(messagesOf(0)).toContain('assistant: One [interrupted]');
  });

  test('takes the provider at its word about what was heard', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, timings: { soundSpeed: 10 } });
    const conversation = await converse({ tts: [deepgramSpeech(stage.access(), { model: 'flux-haley-en' })] });
    conversation.mind.say('One two three four five six seven eight nine ten eleven twelve.');
    const { item } = await conversation.next('sound', 2);
    conversation.mind.cut({ item, playedMs: 240, heardText: 'a guess' });
    conversation.mind.say('Sorry.');
    await conversation.next('answer_over', 2);
    conversation.mind.respond();
    await conversation.next('answer_over', 3);
    expect(messagesOf(0)[1]).toMatch(/^assistant: (One two three four five six\b.*)? ?\[interrupted\]$/);
  });

  test('lets more answers follow than a voice has contexts', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, timings: { soundSpeed: 20 } });
    const conversation = await converse();
    for (let count = 1; count <= 8; count += 1) {
      conversation.mind.say('A rather long sentence that is cut at once, over and over.');
      const item = `item_${count}`;
      for (let sounds = conversation.of('sound').length; conversation.sound(item).length === 0; sounds += 1) {
        await conversation.next('sound', sounds + 1);
      }
      conversation.mind.cut({ item, playedMs: 10, heardText: 'A' });
    }
    conversation.mind.say('The end.');
    await conversation.next('answer_over', 9);
    expect(wordsOf(conversation)).toBe('The end.');
    expect(conversation.of('recovered')).toEqual([]);
  });
});

describe.each([
  ['elevenlabs', () => stage.voice()],
  ['cartesia', () => cartesia(stage.access(), { model: 'sonic-3.5', voice: 'voice1', language: 'en' })],
  ['deepgram', () => deepgramSpeech(stage.access(), { model: 'flux-haley-en' })],
] as const)('with the voice of %s', (provider, voice) => {
  test('usage equals what the providers bill, to the token, the character and the second', async () => {
    const conversation = await converse({ tts: [voice()], tools: [LOOKUP] });
    for (const [turn, sentence] of [HELLO, YES, 'Unknown words.'].entries()) {
      conversation.hear(sentence);
      await conversation.next('callee_said', turn + 1);
      await conversation.next('answer_over', turn + 1);
    }
    conversation.mind.close();
    const { events } = conversation;
    for (const unit of ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const) {
      expect(total(events, { component: 'llm', unit })).toBe(stage.ledger.total({ component: 'llm', unit }));
      expect(total(events, { component: 'llm', unit })).toBeGreaterThan(0);
    }
    expect(total(events, { component: 'tts', provider })).toBe(stage.ledger.total({ component: 'tts', provider }));
    expect(total(events, { component: 'stt' })).toBeCloseTo(stage.ledger.total({ component: 'stt' }), 9);
    expect(total(events, { estimated: true })).toBe(0);
  });

  test('the words of an answer are its text', async () => {
    const conversation = await converse({ tts: [voice()] });
    conversation.hear(YES);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
  });
});

test('with Nova for its ears it hears the same', async () => {
  const settings = { model: 'nova-3', language: 'en', keywords: ['Miller'], endpointingMs: 200 };
  const conversation = await converse({ stt: [deepgramNova(stage.access(), settings)] });
  conversation.hearSilence(500);
  conversation.hear(YES);
  const said = await conversation.next('callee_said');
  expect(said.text).toBe(YES);
  expect(said.startMs).toBeCloseTo(500, -2);
  await conversation.next('answer_over');
  expect(wordsOf(conversation)).toBe(THANKS);
  conversation.mind.close();
  expect(total(conversation.events, { component: 'stt' })).toBeCloseTo(stage.ledger.total({ component: 'stt' }), 9);
});

test.each([
  ['Flux', () => stage.ears()],
  ['Nova', () => deepgramNova(stage.access(), { model: 'nova-3', language: 'en', keywords: [], endpointingMs: 200 })],
])('the end of the call ends the callee’s last turn for %s, and gets no answer', async (_, ears) => {
  const conversation = await converse({ stt: [ears()] });
  conversation.hearSilence(500);
  conversation.hearOnly(YES);
  await conversation.next('callee_speaking');
  await conversation.mind.callOver();
  expect(conversation.of('callee_said')).toMatchObject([{ text: YES, startMs: expect.closeTo(500, -2) }]);
  conversation.mind.close();
  expect(stage.requests).toEqual([]);
  expect(total(conversation.events, { component: 'stt' })).toBeCloseTo(stage.ledger.total({ component: 'stt' }), 9);
});

test('no event holds the key', async () => {
  const conversation = await converse();
  conversation.hear(YES);
  await conversation.next('answer_over');
  expect(JSON.stringify(conversation.events)).not.toContain(KEY);
});
