import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectNothingLeft } from '../../../test/nothing-left.ts';
import { startProvider, type Provider } from '../../../test/provider.ts';
import { DIALECTS, RecordedMind } from '../../../test/recorded-mind.ts';

const LONG = 'This is a rather long sentence, which comes in many pieces.';

let provider: Provider;
let conversation: RecordedMind;
beforeEach(async () => {
  provider = await startProvider({ script: { opening: { say: LONG }, rules: [], otherwise: { say: LONG } } });
});
afterEach(async () => {
  conversation.mind.close();
  await expectNothingLeft(provider);
  await provider.close();
});

describe.each(DIALECTS)('$provider fails in an answer', ({ dialect, settings }) => {
  function open(model: string): RecordedMind {
    conversation = new RecordedMind(provider, { dialect, settings: { ...settings, model } });
    return conversation;
  }

  test.each([
    ['drop-after-2-deltas', 'dropped', 2],
    ['close-1000', 'dropped', 0],
    ['garbage-json', 'invalid_response', 0],
  ])('%s ends the mind as %s', async (model, kind, sounds) => {
    open(model).mind.say(LONG);
    expect((await conversation.next('failed')).failure.kind).toBe(kind);
    expect(conversation.of('sound')).toHaveLength(sounds);
    expect(conversation.events.at(-1)?.kind).toBe('failed');
  });

  test('a request that is rejected fails as an answer, and what waited for it follows', async () => {
    open('refuse-first-request').mind.say('First.');
    conversation.mind.say('Second.');
    expect((await conversation.next('answer_failed')).failure.kind).toBe('unreachable');
    expect(conversation.words((await conversation.next('item_over')).item)).toBe('Second.');
    conversation.mind.say('Third.');
    await conversation.next('answer_over', 2);
    expect(conversation.of('answer_failed')).toHaveLength(1);
  });

  test('near-limit is reported with each answer, and a provider with room left reports nothing', async () => {
    open('near-limit').mind.say('First.');
    await conversation.next('answer_over');
    expect(conversation.of('near_limit')).toHaveLength(1);
    conversation.mind.say('Second.');
    await conversation.next('answer_over', 2);
    expect(conversation.of('near_limit')).toHaveLength(2);
    conversation.mind.close();
    open('gpt-realtime').mind.say('First.');
    await conversation.next('answer_over');
    expect(conversation.of('near_limit')).toEqual([]);
  });

  test('no-usage is billed, and nothing of it is known', async () => {
    open('no-usage').mind.say(LONG);
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: false });
    if (dialect.billedBy === 'time') return;
    expect(conversation.of('usage')).toEqual([]);
    expect(provider.billedTokens()).toBeGreaterThan(0);
  });
});
