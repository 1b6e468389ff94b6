import { createEars, decodeUlaw } from '@outdial/simulated-providers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CascadeStage, KEY } from '../../../test/cascade-stage.ts';
import { soundOf, ulawOf } from '../../../test/provider.ts';
import type { Recording } from '../../../test/recording.ts';
import type { MindEvent, UsageEntry } from '../../mind.ts';

const HELLO = 'Hello?';
const YES = 'Yes, Tuesday is fine.';
const THANKS = 'Thank you, that is noted. See you on Tuesday at the practice.';
const SCRIPT = {
  opening: { say: 'Good morning.' },
  rules: [
    { when: /Tuesday/, say: THANKS },
    { when: /Hello/, say: 'How are you today?' },
  ],
  otherwise: { say: 'Could you say that again?' },
};

let stage: CascadeStage;
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT, sentences: [HELLO, YES] });
});
afterEach(() => stage.close());

async function converse(changes: Parameters<CascadeStage['mind']>[0] = {}): Promise<Recording> {
  const conversation = stage.mind({ stt: [stage.localEars()], tts: [stage.localVoice()], ...changes });
  conversation.ear = true;
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

/** The sentence that a sound is, as the simulated ears know it. */
const heardIn = (ulaw: Uint8Array, ...sentences: readonly string[]) =>
  createEars(sentences.map((text) => ({ text, samples: soundOf(text) }))).recognise(decodeUlaw(ulaw));

describe('with a local server', () => {
  test('the callee is transcribed with the times of the call, and answered with words and sound', async () => {
    const conversation = await converse();
    conversation.hearSilence(1_000);
    conversation.hear(YES);
    const said = await conversation.next('callee_said');
    expect(said).toMatchObject({ text: YES, turn: 'turn_1', startMs: 1_000 });
    expect(said.endMs).toBeCloseTo(1_000 + ulawOf(YES).length / 8, -2);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
    const [first, second] = ['Thank you, that is noted.', 'See you on Tuesday at the practice.'];
    const [firstSound, secondSound] = [ulawOf(first ?? ''), ulawOf(second ?? '')];
    const sound = conversation.sound('item_1');
    // A resampler may add a sample to each.
    expect(Math.abs(sound.length - firstSound.length - secondSound.length)).toBeLessThanOrEqual(2);
    expect(heardIn(sound.subarray(0, firstSound.length), first ?? '', second ?? '')).toBe(first);
    expect(heardIn(sound.subarray(firstSound.length), first ?? '', second ?? '')).toBe(second);
  });

  test('a WAV file sounds like samples of another rate', async () => {
    const conversation = await converse({ tts: [stage.localVoice({ format: 'wav' })] });
    conversation.mind.say(THANKS);
    await conversation.next('answer_over');
    const wav = conversation.sound('item_1');
    const other = await converse();
    other.mind.say(THANKS);
    await other.next('answer_over');
    expect(wav.equals(other.sound('item_1'))).toBe(true);
  });

  test('a sample rate that the settings name is the one that is played', async () => {
    const conversation = await converse({ tts: [stage.localVoice({ sampleRate: 48_000 })] });
    conversation.mind.say(YES);
    await conversation.next('answer_over');
    expect(conversation.sound('item_1').length).toBeCloseTo(ulawOf(YES).length / 2, -1);
  });

  test('usage equals what the server made, to the token, the character and the second', async () => {
    const conversation = await converse();
    for (const [turn, sentence] of [HELLO, YES, 'Unknown words.'].entries()) {
      conversation.hear(sentence);
      await conversation.next('callee_said', turn + 1);
      await conversation.next('answer_over', turn + 1);
    }
    conversation.mind.close();
    const { events } = conversation;
    for (const unit of ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const) {
      expect(total(events, { component: 'llm', unit })).toBe(stage.ledger.total({ component: 'llm', unit }));
    }
    expect(total(events, { component: 'tts', provider: 'local' })).toBe(stage.ledger.total({ component: 'tts' }));
    const seconds = total(events, { component: 'stt', provider: 'local', unit: 'second' });
    expect(seconds).toBeGreaterThan(1);
    expect(stage.ledger.total({ component: 'stt', unit: 'second' })).toBeCloseTo(seconds, 9);
  });

  test('a pause that is shorter than the silence of the settings ends no turn', async () => {
    const conversation = await converse({ stt: [stage.localEars({ silenceMs: 900 })] });
    conversation.hear(HELLO);
    conversation.hear(YES);
    conversation.hearSilence(1_000);
    await conversation.next('answer_over');
    expect(conversation.of('callee_said')).toMatchObject([{ startMs: 0 }]);
  });

  test('the model begins in a pause that is probably the end, and is asked once', async () => {
    const conversation = await converse({ stt: [stage.localEars({ silenceMs: 600, eagerSilenceMs: 200 })] });
    conversation.hear(YES);
    await expect.poll(() => stage.requests.filter((body) => body.includes('"messages"')).length).toBe(1);
    expect(conversation.of('callee_said')).toEqual([]);
    expect(conversation.of('sound')).toEqual([]);
    conversation.hearSilence(400);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(THANKS);
    expect(stage.requests.filter((body) => body.includes('"messages"'))).toHaveLength(1);
    // The sound went through the server once.
    const seconds = total(conversation.events, { component: 'stt' });
    expect(seconds).toBeLessThan(ulawOf(YES).length / 8_000 + 0.3);
  });

  test('what the model began in a pause is dropped when the callee goes on', async () => {
    const conversation = await converse({ stt: [stage.localEars({ silenceMs: 600, eagerSilenceMs: 200 })] });
    conversation.hear(YES);
    await expect.poll(() => stage.requests.filter((body) => body.includes('"messages"')).length).toBe(1);
    conversation.hear('But I meant Monday');
    conversation.hearSilence(600);
    await conversation.next('answer_over');
    expect(wordsOf(conversation)).toBe(SCRIPT.otherwise.say);
    expect(conversation.of('callee_said')).toHaveLength(1);
    expect(conversation.of('answer_over')).toHaveLength(1);
  });

  test('a monologue is heard in parts, and no word is taken for deafness', async () => {
    const conversation = await converse();
    const long = 'and so on and so forth '.repeat(16).trim();
    expect(ulawOf(long).length / 8).toBeGreaterThan(30_000);
    conversation.hear(long);
    const said = await conversation.next('callee_said');
    expect(said.text).toMatch(/^\[unrecognised\] \[unrecognised\]/);
    expect(said.endMs - said.startMs).toBeCloseTo(ulawOf(long).length / 8, -2);
    expect(total(conversation.events, { component: 'stt' })).toBeCloseTo(ulawOf(long).length / 8_000, 0);
  });

  test('the end of the call ends the callee’s last turn, and gets no answer', async () => {
    const conversation = await converse();
    conversation.hearSilence(500);
    conversation.hearOnly(YES);
    await conversation.mind.callOver();
    expect(conversation.of('callee_said')).toMatchObject([{ text: YES, startMs: 500 }]);
    expect(stage.requests.filter((body) => body.includes('"messages"'))).toEqual([]);
  });

  test('a short last turn is understood too, although it was not announced', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, sentences: ['Ok'] });
    const conversation = await converse({ stt: [stage.localEars({ silenceMs: 2_000 })] });
    conversation.hear('Ok');
    await conversation.mind.callOver();
    expect(conversation.of('callee_said')).toHaveLength(1);
  });

  test('no event holds the key', async () => {
    const conversation = await converse();
    conversation.hear(YES);
    await conversation.next('answer_over');
    expect(JSON.stringify(conversation.events)).not.toContain(KEY);
  });
});

/** `local-faults.verify.test.ts` has every fault. */
test('a server that fails in a turn, and one that fails in a sentence, are followed by others without a lost word', async () => {
  const stt = [stage.localEars({ model: 'drop-after-0-deltas' }), stage.localEars()];
  const tts = [stage.localVoice({ model: 'drop-after-3-deltas' }), stage.localVoice()];
  const conversation = await converse({ stt, tts });
  conversation.hear(YES);
  expect((await conversation.next('callee_said')).text).toBe(YES);
  await conversation.next('answer_over');
  expect(wordsOf(conversation).replaceAll(/\s+/g, ' ')).toBe(THANKS);
  expect(conversation.of('recovered').map(({ failure }) => failure.component)).toEqual(['stt', 'tts']);
});

describe('a cut', () => {
  test('ends the sentence on its way, and those after it are never asked for', async () => {
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, sentences: [YES], timings: { soundSpeed: 10 } });
    const conversation = await converse();
    conversation.hear(YES);
    const { item } = await conversation.next('sound');
    conversation.mind.cut({ item, playedMs: 200, heardText: 'Thank you,' });
    expect(conversation.of('answer_over')).toEqual([{ kind: 'answer_over', outcome: 'cancelled', empty: false }]);
    const received = conversation.sound(item).length;
    conversation.mind.say('Sorry.');
    await conversation.next('answer_over', 2);
    expect(conversation.sound(item)).toHaveLength(received);
    expect(wordsOf(conversation)).toBe('Sorry.');
    expect(stage.requests.some((body) => body.includes('at the practice'))).toBe(false);
  });
});
