import type { LedgerEntry } from '@outdial/simulated-providers';
import { fakeClock } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CascadeStage, KEY } from '../../test/cascade-stage.ts';
import type { Recording } from '../../test/recording.ts';
import { openAiCompatibleModel } from './llm/openai-compatible/openai-compatible.ts';
import { deepgramFlux } from './stt/deepgram/deepgram-flux.ts';
import { cartesia } from './tts/cartesia/cartesia.ts';
import { deepgramSpeech } from './tts/deepgram/deepgram-speech.ts';

const YES = 'Yes, Tuesday is fine.';
const THANKS = 'Thank you, that is noted. See you on Tuesday at the café, naïve or not.';
const LONG = 'One two three four. Five six seven eight nine ten. Eleven twelve thirteen fourteen fifteen.';
const SCRIPT = {
  opening: { say: 'Good morning.' },
  rules: [{ when: /Tuesday/, say: THANKS }],
  otherwise: { say: 'Pardon?' },
};

let stage: CascadeStage;
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT, sentences: [YES] });
});
afterEach(() => stage.close());

async function converse(...changes: Parameters<CascadeStage['mind']>): Promise<Recording> {
  const conversation = stage.mind(...changes);
  await conversation.next('ready');
  conversation.mind.openGate();
  return conversation;
}

const saidBy = (conversation: Recording): string =>
  conversation
    .of('words')
    .map(({ text }) => text)
    .join('')
    .trim();

const madeOf = (unit: LedgerEntry['unit']): number => stage.ledger.total({ component: 'llm', unit });

/** The callee says it, and the model with this name answers. */
async function ask(...names: readonly string[]) {
  const clock = fakeClock();
  const conversation = await converse({ llm: names.map((name) => stage.model(name)), clock });
  conversation.hear(YES);
  await conversation.next('callee_said');
  return { clock, conversation };
}

describe('a model', () => {
  test.each([
    ['401', 'rejected'],
    ['503', 'unreachable'],
    ['garbage-json', 'invalid_response'],
    ['close-1000', 'dropped'],
    ['drop-after-0-deltas', 'dropped'],
  ])('without a fallback: %s fails the answer as %s, and the conversation goes on', async (name, kind) => {
    const { conversation } = await ask(name);
    const { failure } = await conversation.next('answer_failed');
    expect(failure).toMatchObject({ kind, component: 'llm' });
    expect(failure.message).not.toMatch(/canary|4711/);
    conversation.mind.say('Goodbye.');
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toMatch(/Goodbye\.$/);
  });

  test.each(['401', '503', 'garbage-json', 'drop-after-0-deltas'])(
    'with a fallback: %s answers by it',
    async (name) => {
      const { conversation } = await ask(name, 'gpt-simulated');
      await conversation.next('answer_over');
      expect(saidBy(conversation)).toBe(THANKS);
      expect(conversation.of('recovered')).toHaveLength(1);
    },
  );

  test.each(['drop-after-6-deltas', 'close-1000'])('%s goes on by the fallback after its last word', async (name) => {
    const { conversation } = await ask(name, 'gpt-simulated');
    await conversation.next('answer_over');
    expect(stage.requests).toHaveLength(2);
    expect(stage.requests[1]).toContain('Go on exactly after its last word');
    const partial = name === 'close-1000' ? 'Thank ' : 'Thank you, that is noted. See ';
    expect(stage.requests[1]).toContain(JSON.stringify({ role: 'assistant', content: partial }));
    expect(saidBy(conversation).startsWith(partial.trim())).toBe(true);
  });

  test('429 is asked again after the time that it names, and fails the answer when it refuses again', async () => {
    const { clock, conversation } = await ask('429');
    await expect.poll(() => clock.pendingTimers()).toBe(3);
    await clock.advance(999);
    expect(stage.requests).toHaveLength(1);
    await clock.advance(1);
    expect((await conversation.next('answer_failed')).failure).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 1_000,
    });
    expect(stage.requests).toHaveLength(2);
  });

  test.each(['stall', 'slow-tokens'])('%s is raced by the fallback after 3 s', async (name) => {
    const { clock, conversation } = await ask(name, 'gpt-simulated');
    await expect.poll(() => stage.requests.length).toBe(1);
    await clock.advance(2_999);
    expect(stage.requests).toHaveLength(1);
    await clock.advance(1);
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toBe(THANKS);
    expect((await conversation.next('recovered')).afterMs).toBe(3_000);
  });

  test('stall without a fallback fails the answer after 8 s', async () => {
    const { clock, conversation } = await ask('stall');
    await clock.advance(7_999);
    expect(conversation.of('answer_failed')).toEqual([]);
    await clock.advance(1);
    expect(conversation.of('answer_failed')).toHaveLength(1);
  });

  test('empty is an answer without words', async () => {
    const { conversation } = await ask('empty');
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: true });
  });

  test('half-utf8 does no harm', async () => {
    const { conversation } = await ask('half-utf8');
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toBe(THANKS);
  });

  test('no-usage is counted by estimate', async () => {
    const { conversation } = await ask('no-usage');
    await conversation.next('answer_over');
    const tokens = conversation
      .of('usage')
      .flatMap(({ entries }) => entries)
      .filter(({ component }) => component === 'llm');
    expect(tokens.map(({ unit, estimated }) => [unit, estimated])).toEqual([
      ['input_text_token', true],
      ['output_text_token', true],
    ]);
  });

  test.each(['drop-after-6-deltas', 'close-1000', 'no-usage'])(
    '%s is charged by estimate, and for no more than was read and written',
    async (name) => {
      const { conversation } = await ask(name, 'gpt-simulated');
      await conversation.next('answer_over');
      const entries = conversation.of('usage').flatMap((event) => event.entries);
      const ofModel = entries.filter(({ component }) => component === 'llm');
      const sum = (units: readonly string[]) =>
        ofModel.filter(({ unit }) => units.includes(unit)).reduce((total, { quantity }) => total + quantity, 0);
      expect(ofModel.some(({ estimated }) => estimated)).toBe(true);
      expect(sum(['input_text_token', 'cached_input_text_token'])).toBeLessThanOrEqual(
        madeOf('input_text_token') + madeOf('cached_input_text_token'),
      );
      expect(sum(['output_text_token'])).toBeLessThanOrEqual(madeOf('output_text_token'));
    },
  );

  test('whose credential is rejected ends the mind before anybody is called', async () => {
    const conversation = stage.mind({ llm: [stage.model('gpt-simulated', 'sk-live-canary-4711')] });
    const { failure } = await conversation.next('failed');
    expect(failure).toMatchObject({ kind: 'rejected', component: 'llm' });
    expect(failure.message).not.toMatch(/canary|4711/);
    expect(conversation.events.at(-1)?.kind).toBe('failed');
  });
});

const hanging: typeof globalThis.fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

test('a model that does not answer its check in 3 s is unreachable', async () => {
  const clock = fakeClock();
  const model = openAiCompatibleModel({
    settings: { provider: 'openai', model: 'gpt-simulated', maxOutputTokens: 300 },
    credential: KEY,
    baseUrl: stage.httpUrl,
    fetch: hanging,
  });
  const conversation = stage.mind({ llm: [model], clock });
  await clock.advance(2_999);
  expect(conversation.of('failed')).toEqual([]);
  await clock.advance(1);
  expect((await conversation.next('failed')).failure).toMatchObject({ kind: 'unreachable', component: 'llm' });
});

describe('ears', () => {
  test.each([
    ['401', 'rejected'],
    ['503', 'unreachable'],
    ['close-1000', 'dropped'],
    ['drop-after-1-deltas', 'dropped'],
    ['garbage-json', 'invalid_response'],
  ])('without a fallback: %s ends the mind as %s', async (name, kind) => {
    const conversation = await converse({ stt: [stage.ears(name)] });
    conversation.hear(YES);
    expect((await conversation.next('failed')).failure).toMatchObject({ kind, component: 'stt' });
  });

  test.each(['401', '503', 'close-1000', 'drop-after-1-deltas', 'garbage-json'])(
    'with a fallback: %s loses no word',
    async (name) => {
      const conversation = await converse({ stt: [stage.ears(name), stage.ears()] });
      conversation.hearSilence(200);
      conversation.hear(YES);
      const said = await conversation.next('callee_said');
      expect(said.text).toBe(YES);
      expect(said.startMs).toBeCloseTo(200, -2);
      expect(conversation.of('recovered').at(-1)?.failure.component).toBe('stt');
    },
  );

  test('a connection that cannot be made is tried once more, and loses no word', async () => {
    const clock = fakeClock();
    const { openSocket } = stage.access();
    let opened = 0;
    const ears = deepgramFlux(
      stage.access({
        openSocket: (address, listener) => {
          opened += 1;
          if (opened > 1) return openSocket(address, listener);
          queueMicrotask(() => listener.ended({ kind: 'unreachable', message: 'no connection could be made' }));
          return { send: () => undefined, close: () => undefined };
        },
      }),
      { model: 'flux-general-en', keywords: [], eagerEotThreshold: null },
    );
    const conversation = await converse({ stt: [ears], clock });
    conversation.hear(YES);
    await expect.poll(() => clock.pendingTimers()).toBe(1);
    await clock.advance(500);
    expect((await conversation.next('callee_said')).text).toBe(YES);
    expect((await conversation.next('recovered')).failure).toMatchObject({ kind: 'unreachable', component: 'stt' });
  });

  test('429 connects again after the time that it names', async () => {
    const clock = fakeClock();
    const conversation = await converse({ stt: [stage.ears('429'), stage.ears()], clock });
    conversation.hear(YES);
    await expect.poll(() => clock.pendingTimers()).toBe(1);
    await clock.advance(1_000);
    expect((await conversation.next('callee_said')).text).toBe(YES);
  });

  test('stall is noticed after 5 s of speech by the ear, and pauses do not count', async () => {
    const clock = fakeClock();
    const conversation = await converse({ stt: [stage.ears('stall'), stage.ears()], clock });
    for (let connection = 1; connection <= 3; connection += 1) {
      conversation.hear(YES);
      conversation.mind.calleeSpeech?.({ kind: 'began', atMs: 0 });
      await clock.advance(3_000);
      conversation.mind.calleeSpeech?.({ kind: 'ended', atMs: 3_000 });
      await clock.advance(60_000);
      conversation.mind.calleeSpeech?.({ kind: 'began', atMs: 63_000 });
      await clock.advance(1_999);
      expect(conversation.of('callee_said')).toEqual([]);
      await clock.advance(1);
      conversation.mind.calleeSpeech?.({ kind: 'ended', atMs: 65_000 });
    }
    expect((await conversation.next('callee_said')).text).toBe(YES);
    expect((await conversation.next('recovered')).failure).toMatchObject({ kind: 'stalled', component: 'stt' });
  });

  test('empty is a turn without text, which gets no answer', async () => {
    const conversation = await converse({ stt: [stage.ears('empty')] });
    conversation.hear(YES);
    expect((await conversation.next('callee_said')).text).toBeNull();
    conversation.mind.say('Are you there?');
    await conversation.next('answer_over');
    expect(stage.requests).toEqual([]);
  });

  test('survive a provider that restarts', async () => {
    const conversation = await converse();
    conversation.hear(YES);
    await conversation.next('answer_over');
    stage.disconnect();
    await conversation.next('recovered');
    conversation.hear(YES);
    expect((await conversation.next('callee_said', 2)).text).toBe(YES);
    await conversation.next('answer_over', 2);
    expect(conversation.words('item_2').trim()).toBe(THANKS);
  });
});

describe('a voice', () => {
  test.each([
    ['401', 'rejected'],
    ['503', 'unreachable'],
  ])('without a fallback: %s ends the mind before it is ready, as %s', async (name, kind) => {
    const conversation = stage.mind({ tts: [stage.voice(name)] });
    expect((await conversation.next('failed')).failure).toMatchObject({ kind, component: 'tts' });
    expect(conversation.of('ready')).toEqual([]);
  });

  test.each(['401', '503', 'close-1000', 'drop-after-1-deltas', 'drop-after-3-deltas', 'garbage-json'])(
    'with a fallback: %s says every word once',
    async (name) => {
      const conversation = await converse({ tts: [stage.voice(name), stage.voice()] });
      conversation.mind.say(LONG);
      await conversation.next('answer_over');
      expect(saidBy(conversation)).toBe(LONG);
      expect(conversation.of('item_over')).toHaveLength(1);
      const places = conversation.of('words').map(({ place }) => place?.startMs ?? -1);
      expect(places).toEqual(places.toSorted((left, right) => left - right));
    },
  );

  test.each([
    ['cartesia', 'deepgram'],
    ['deepgram', 'cartesia'],
  ])('%s that is lost in a sentence hands the rest to %s', async (first) => {
    const name = 'drop-after-4-deltas';
    const others = [
      cartesia(stage.access(), { model: first === 'cartesia' ? name : 'sonic-3.5', voice: 'v', language: 'en' }),
      deepgramSpeech(stage.access(), { model: first === 'deepgram' ? name : 'flux-haley-en' }),
    ];
    const conversation = await converse({ tts: first === 'cartesia' ? others : others.toReversed() });
    conversation.mind.say(LONG);
    await conversation.next('answer_over');
    expect(saidBy(conversation).replaceAll(/\s+/g, ' ')).toBe(LONG);
    expect(conversation.of('recovered').map(({ failure }) => failure.kind)).toEqual(['dropped']);
  });

  test('stall is given up after 4 s, and the fallback says it', async () => {
    const clock = fakeClock();
    const conversation = await converse({ tts: [stage.voice('stall'), stage.voice()], clock });
    conversation.mind.say(LONG);
    await clock.advance(3_999);
    expect(conversation.of('recovered')).toEqual([]);
    await clock.advance(1);
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toBe(LONG);
    expect(conversation.of('recovered')[0]?.failure).toMatchObject({ kind: 'stalled', component: 'tts' });
  });

  test('that is lost between two answers is connected for the next', async () => {
    const conversation = await converse();
    conversation.mind.say('One.');
    await conversation.next('answer_over');
    stage.disconnect();
    conversation.mind.say('Two.');
    await conversation.next('answer_over', 2);
    expect(saidBy(conversation)).toBe('One. Two.');
    expect(conversation.of('failed')).toEqual([]);
  });
});
