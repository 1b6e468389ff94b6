import { fakeClock } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CascadeStage } from '../../../test/cascade-stage.ts';
import type { Recording } from '../../../test/recording.ts';

const YES = 'Yes, Tuesday is fine.';
const LONG = 'One two three four. Five six seven eight nine ten. Eleven twelve thirteen fourteen fifteen.';
const SCRIPT = { opening: { say: 'Good morning.' }, rules: [], otherwise: { say: 'Pardon?' } };

let stage: CascadeStage;
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT, sentences: [YES] });
});
afterEach(() => stage.close());

async function converse(changes: Parameters<CascadeStage['mind']>[0] = {}): Promise<Recording> {
  const conversation = stage.mind({ stt: [stage.localEars()], tts: [stage.localVoice()], ...changes });
  conversation.ear = true;
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
/** As the server answers, but for one path. */
const answering =
  (path: string, answer: () => Response): typeof globalThis.fetch =>
  async (url, init) =>
    typeof url === 'string' && url.endsWith(path) ? answer() : stage.fetch(url, init);
const ears = (model: string) => stage.localEars({ model });
const voice = (model: string) => stage.localVoice({ model });

describe('local ears', () => {
  test.each([
    ['401', 'rejected'],
    ['503', 'unreachable'],
    ['close-1000', 'dropped'],
    ['drop-after-1-deltas', 'dropped'],
    ['garbage-json', 'invalid_response'],
  ])('without a fallback: %s ends the mind as %s', async (name, kind) => {
    const conversation = await converse({ stt: [ears(name)] });
    conversation.hear(YES);
    const { failure } = await conversation.next('failed');
    expect(failure).toMatchObject({ kind, component: 'stt' });
    expect(failure.message).not.toMatch(/canary|4711/);
  });

  test.each(['401', '503', 'close-1000', 'drop-after-1-deltas', 'garbage-json'])(
    'with a fallback: %s loses no word',
    async (name) => {
      const conversation = await converse({ stt: [ears(name), ears('whisper')] });
      conversation.hearSilence(200);
      conversation.hear(YES);
      const said = await conversation.next('callee_said');
      expect(said).toMatchObject({ text: YES, startMs: 200 });
      // The callee waits: the same server is not tried again first.
      expect(conversation.of('recovered').map(({ failure }) => failure.component)).toEqual(['stt']);
    },
  );

  test.each([
    ['of Deepgram', () => [stage.ears('drop-after-1-deltas'), ears('whisper')]],
    ['of a local server', () => [ears('503'), stage.ears()]],
  ])('and ears %s that fail replace each other, and no word is lost', async (_, list) => {
    const conversation = await converse({ stt: list() });
    conversation.hearSilence(200);
    conversation.hear(YES);
    expect((await conversation.next('callee_said')).text).toBe(YES);
  });

  test('429 is asked again after the time that the server names', async () => {
    const clock = fakeClock();
    const conversation = await converse({ stt: [ears('429'), ears('whisper')], clock });
    conversation.hear(YES);
    // One of them notices ears that are deaf.
    await expect.poll(() => clock.pendingTimers()).toBe(2);
    await clock.advance(1_000);
    expect((await conversation.next('callee_said')).text).toBe(YES);
  });

  test('stall is given up after 5 s, and the fallback hears the sentence', async () => {
    const clock = fakeClock();
    const stalled = stage.localEars({ model: 'stall' }, { clock });
    const conversation = await converse({ stt: [stalled, ears('whisper')] });
    conversation.hear(YES);
    await expect.poll(() => clock.pendingTimers()).toBe(1);
    await clock.advance(4_999);
    expect(conversation.of('recovered')).toEqual([]);
    await clock.advance(1);
    expect((await conversation.next('callee_said')).text).toBe(YES);
    expect((await conversation.next('recovered')).failure).toMatchObject({ kind: 'stalled', component: 'stt' });
  });

  test('empty is a turn without text, which gets no answer', async () => {
    const conversation = await converse({ stt: [ears('empty')] });
    conversation.hear(YES);
    expect((await conversation.next('callee_said')).text).toBeNull();
    conversation.mind.say('Are you there?');
    await conversation.next('answer_over');
    expect(stage.requests.some((body) => body.includes('"messages"'))).toBe(false);
  });

  test('half-utf8 does no harm', async () => {
    const cafe = 'At the café, naïve or not.';
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, sentences: [cafe] });
    const conversation = await converse({ stt: [ears('half-utf8')] });
    conversation.hear(cafe);
    expect((await conversation.next('callee_said')).text).toBe(cafe);
  });

  test('of a server that is down are given up before the callee has said anything', async () => {
    const down = stage.localEars({}, { baseUrl: 'http://127.0.0.1:1/v1' });
    const conversation = await converse({ stt: [down, ears('whisper')] });
    conversation.hearSilence(200);
    expect((await conversation.next('recovered')).failure).toMatchObject({ kind: 'unreachable', component: 'stt' });
    conversation.hear(YES);
    expect((await conversation.next('callee_said')).text).toBe(YES);
  });
});

describe('a local voice', () => {
  test.each([
    ['a key that the server does not take', { credential: 'sk-live-canary-4711' }, 'rejected'],
    ['no server', { baseUrl: 'http://127.0.0.1:1/v1' }, 'unreachable'],
  ])('with %s ends the mind before it is ready', async (_, access, kind) => {
    const conversation = stage.mind({ tts: [stage.localVoice({}, access)] });
    const { failure } = await conversation.next('failed');
    expect(failure).toMatchObject({ kind, component: 'tts' });
    expect(failure.message).not.toMatch(/canary|4711/);
    expect(conversation.of('ready')).toEqual([]);
  });

  test('of a server without a list of models is ready', async () => {
    const fetch = answering('/models', () => new Response('not found', { status: 404 }));
    const conversation = await converse({ tts: [stage.localVoice({}, { fetch })] });
    conversation.mind.say(LONG);
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toBe(LONG);
  });

  test.each([
    ['401', 'rejected'],
    ['503', 'unreachable'],
    ['garbage-json', 'invalid_response'],
    ['empty', 'invalid_response'],
    ['close-1000', 'dropped'],
    ['drop-after-1-deltas', 'dropped'],
  ])('without a fallback: %s ends the mind as %s', async (name, kind) => {
    const conversation = await converse({ tts: [voice(name)] });
    conversation.mind.say(LONG);
    expect((await conversation.next('failed')).failure).toMatchObject({ kind, component: 'tts' });
  });

  test.each(['401', '503', 'close-1000', 'drop-after-1-deltas', 'drop-after-3-deltas', 'garbage-json', 'empty'])(
    'with a fallback: %s says every word once',
    async (name) => {
      const conversation = await converse({ tts: [voice(name), voice('kokoro')] });
      conversation.mind.say(LONG);
      await conversation.next('answer_over');
      expect(saidBy(conversation).replaceAll(/\s+/g, ' ')).toBe(LONG);
      expect(conversation.of('item_over')).toHaveLength(1);
      expect(conversation.of('recovered').at(-1)?.failure.component).toBe('tts');
    },
  );

  test('a stall is given up after 4 s, and the fallback says it', async () => {
    const clock = fakeClock();
    const conversation = await converse({ tts: [voice('stall'), voice('kokoro')], clock });
    conversation.mind.say(LONG);
    await clock.advance(3_999);
    expect(conversation.of('recovered')).toEqual([]);
    await clock.advance(1);
    await conversation.next('answer_over');
    expect(saidBy(conversation)).toBe(LONG);
    expect(conversation.of('recovered')[0]?.failure).toMatchObject({ kind: 'stalled', component: 'tts' });
  });

  test('that answers with a form that cannot be played says which', async () => {
    const fetch = answering('/audio/speech', () => new Response('ID3', { headers: { 'content-type': 'audio/mpeg' } }));
    const conversation = await converse({ tts: [stage.localVoice({}, { fetch })] });
    conversation.mind.say(LONG);
    const { failure } = await conversation.next('failed');
    expect(failure).toMatchObject({ kind: 'invalid_response', message: 'the server answers with audio/mpeg' });
  });

  test('survives a provider that restarts between two answers', async () => {
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
