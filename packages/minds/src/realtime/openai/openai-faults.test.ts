import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

  test('401 is rejected, and its message quotes no key', async () => {
    const { failure } = await open('401').next('failed');
    expect(failure.kind).toBe('rejected');
    expect(failure.message).not.toMatch(/canary|4711/);
  });

  test('stall takes requests and answers none of them', async () => {
    open('stall').mind.say(LONG);
    await conversation.next('ready');
    provider.disconnect();
    expect((await conversation.next('failed')).failure.kind).toBe('dropped');
    const kinds = conversation.events.map(({ kind }) => kind).filter((kind) => kind !== 'usage');
    expect(kinds).toEqual(['ready', 'failed']);
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

  test('empty is an answer without words', async () => {
    open('empty').mind.respond();
    expect(await conversation.next('answer_over')).toMatchObject({ outcome: 'completed', empty: true });
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
