import { fakeClock } from '@outdial/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GeminiRecording } from '../../test/gemini-recording.ts';
import { LiveRecording } from '../../test/openai-live-recording.ts';
import { expectNothingLeft } from '../../test/nothing-left.ts';
import { silence, startProvider, type Provider } from '../../test/provider.ts';
import { DIALECTS, RecordedMind } from '../../test/recorded-mind.ts';
import type { Recording } from '../../test/recording.ts';

const LONG = 'This is a rather long sentence, which comes in many pieces.';
const YES = 'Yes, Tuesday is fine.';
const SCRIPT = { opening: { say: LONG }, rules: [], otherwise: { say: LONG } };
/** Nothing listens there. */
const NOWHERE = 'wss://localhost:1';

interface Options {
  readonly model?: string;
  readonly baseUrl?: string;
  /** No time passes in the call. */
  readonly isStill?: boolean;
}

interface RealtimeCase {
  readonly provider: string;
  /** It is connected, and an end of its connection is all that ends it. */
  readonly open: (provider: Provider, options: Options) => Recording;
}

const settingsOf = (model: string | undefined) => (model === undefined ? {} : { settings: { model } });
const addressOf = (baseUrl: string | undefined) => (baseUrl === undefined ? {} : { baseUrl });

const PROVIDERS: readonly RealtimeCase[] = [
  ...DIALECTS.map(({ provider: name, dialect, settings }): RealtimeCase => ({
    provider: name,
    open: (provider, { model = settings.model, ...rest }) =>
      new RecordedMind(provider, { dialect, settings: { ...settings, model }, ...rest }),
  })),
  {
    provider: 'google',
    open: (provider, { model, baseUrl }) =>
      new GeminiRecording(provider, { ...settingsOf(model), ...addressOf(baseUrl) }),
  },
  {
    provider: 'openai_live',
    open(provider, { model, baseUrl, isStill = false }) {
      const live = new LiveRecording(provider, { ...settingsOf(model), ...addressOf(baseUrl) });
      if (isStill) live.mind.hear(silence(20), -20);
      else live.answer();
      return live;
    },
  },
];

let provider: Provider;
let conversation: Recording;
beforeEach(async () => {
  provider = await startProvider({ script: SCRIPT, sentences: [YES] });
});
afterEach(async () => {
  await closed();
  await provider.close();
});

async function closed(): Promise<void> {
  if (conversation instanceof LiveRecording) conversation.end();
  else conversation.mind.close();
  await expectNothingLeft(provider);
}

/** Every provider of speech to speech goes wrong in the same ways, and its driver says the same of each. */
describe.each(PROVIDERS)('$provider', ({ open }) => {
  function converse(options: Options): Recording {
    conversation = open(provider, options);
    return conversation;
  }

  async function failureOf(options: Options, text?: string) {
    const { mind } = converse(options);
    if (text !== undefined) mind.say(text);
    await expect.poll(() => conversation.of('failed')).toHaveLength(1);
    expect(conversation.events.at(-1)?.kind).toBe('failed');
    return conversation.of('failed')[0]?.failure;
  }

  test('that cannot be connected is unreachable', async () => {
    expect(await failureOf({ baseUrl: NOWHERE })).toMatchObject({ component: 'realtime', kind: 'unreachable' });
    expect(conversation.of('ready')).toEqual([]);
  });

  test.each([
    ['401', 'rejected'],
    ['429', 'rate_limited'],
    ['503', 'unreachable'],
  ])('that answers %s is %s, and the failure quotes no key', async (model, kind) => {
    const failure = await failureOf({ model });
    expect(failure).toMatchObject({ component: 'realtime', kind });
    expect(failure?.message).not.toMatch(/canary|4711/);
    expect(conversation.of('ready')).toEqual([]);
  });

  test.each([
    ['drop-after-1-deltas', 'dropped'],
    ['close-1000', 'dropped'],
    ['garbage-json', 'invalid_response'],
  ])('fails in an answer: %s is %s', async (model, kind) => {
    expect(await failureOf({ model }, LONG)).toMatchObject({ component: 'realtime', kind });
    expect(conversation.of('item_over')).toEqual([]);
  });

  test('that takes requests and answers none of them says nothing, and its end is a drop', async () => {
    converse({ model: 'stall' }).mind.say(LONG);
    await conversation.next('ready');
    provider.disconnect();
    await expect.poll(() => conversation.of('failed')).toHaveLength(1);
    expect(conversation.of('failed')[0]?.failure.kind).toBe('dropped');
    expect(conversation.of('sound')).toEqual([]);
  });

  test('that answers after ten seconds is waited for: the call decides for how long', async () => {
    await provider.close();
    const clock = fakeClock();
    provider = await startProvider({ script: SCRIPT, clock, timings: { liveSpeed: 1 } });
    await converse({ model: 'slow-tokens', isStill: true }).next('ready');
    conversation.mind.openGate();
    const timers = clock.pendingTimers();
    conversation.mind.say(LONG);
    conversation.hearSilence(1_000);
    await expect.poll(() => clock.pendingTimers()).toBeGreaterThan(timers);
    await clock.advance(9_000);
    expect(conversation.of('sound')).toEqual([]);
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return conversation.of('sound').length;
      })
      .toBeGreaterThan(0);
    expect(conversation.of('failed')).toEqual([]);
  });

  test('that answers with nothing gives an empty answer, and the conversation goes on', async () => {
    converse({ model: 'empty' }).mind.openGate();
    await conversation.next('ready');
    conversation.mind.respond();
    expect(await conversation.next('answer_over')).toMatchObject({ empty: true });
    expect(conversation.of('sound')).toEqual([]);
    expect(conversation.of('failed')).toEqual([]);
  });

  test('that is deaf reports no word of the callee, and says what it is given', async () => {
    converse({ model: 'deaf' }).mind.openGate();
    await conversation.next('ready');
    conversation.hear(YES);
    conversation.mind.say(LONG);
    await conversation.next('item_over');
    for (const kind of ['callee_speaking', 'callee_said', 'failed'] as const) expect(conversation.of(kind)).toEqual([]);
  });
});
