import type { GenerationLimit } from '@outdial/calls';
import { newAccountId } from '@outdial/calls/testing';
import type { OpenTextToSpeech } from '@outdial/minds';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { Generations } from './generations.ts';
import { limitedVoice } from './limited-voice.ts';

type Event = Parameters<Parameters<OpenTextToSpeech>[0]>[0];

const ONE: GenerationLimit = { key: 'plan', most: 1, isShared: false, accountId: newAccountId() };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function world() {
  const clock = fakeClock();
  const generations = new Generations(clock);
  function open({ hasNext = false, limit = ONE }: { hasNext?: boolean; limit?: GenerationLimit | null } = {}) {
    const [asked, heard]: [string[], Event[]] = [[], []];
    let emit: ((event: Event) => void) | undefined;
    const voice = limitedVoice({ generations, limit, hasNext }, (listener) => {
      emit = listener;
      return {
        tellsTimes: true,
        speak: (utterance, text) => void asked.push(`${utterance}: ${text}`),
        finish: (utterance) => void asked.push(`${utterance} finished`),
        cancel: (utterance) => void asked.push(`${utterance} canceled`),
        close: () => void asked.push('closed'),
      };
    })((event) => void heard.push(event));
    return { voice, asked, heard, emit: (event: Event) => emit?.(event) };
  }
  return { clock, open };
}

test('a text waits until another call’s is over, and is then spoken whole and in order', async () => {
  const { open } = world();
  const [one, two] = [open(), open()];
  one.voice.speak('a', 'Hello');
  await settled();
  two.voice.speak('b', 'Good');
  two.voice.speak('b', ' morning');
  two.voice.finish('b');
  await settled();
  expect([one.asked, two.asked]).toEqual([['a: Hello'], []]);
  one.emit({ kind: 'over', utterance: 'a' });
  await settled();
  expect(two.asked).toEqual(['b: Good', 'b:  morning', 'b finished']);
});

test.each(['cancel', 'close', 'fail'] as const)('the place of a text is free after a %s', async (how) => {
  const { open } = world();
  const [one, two] = [open(), open()];
  one.voice.speak('a', 'Hello');
  await settled();
  two.voice.speak('b', 'Good morning');
  if (how === 'cancel') one.voice.cancel('a', 0);
  if (how === 'close') one.voice.close();
  const failure = { component: 'tts', kind: 'dropped', message: 'gone', retryAfterMs: null } as const;
  if (how === 'fail') one.emit({ kind: 'failed', failure });
  await settled();
  expect(two.asked).toEqual(['b: Good morning']);
});

test('a text that is canceled while it waits is never spoken, and its provider learns nothing of it', async () => {
  const { open } = world();
  const [one, two] = [open(), open()];
  one.voice.speak('a', 'Hello');
  await settled();
  two.voice.speak('b', 'Good morning');
  two.voice.cancel('b', 0);
  one.emit({ kind: 'over', utterance: 'a' });
  await settled();
  expect(two.asked).toEqual([]);
  two.voice.speak('c', 'Next');
  await settled();
  expect(two.asked).toEqual(['c: Next']);
});

test.each([
  [true, 60_000],
  [false, 0],
])(
  'a text without a place fails its voice: with a fallback (%s) the same is asked again after %i ms',
  async (hasNext, retryAfterMs) => {
    const { clock, open } = world();
    const [one, two] = [open(), open({ hasNext })];
    one.voice.speak('a', 'Hello');
    await settled();
    two.voice.speak('b', 'Good morning');
    await clock.advance(2_500);
    expect(two.asked).toEqual(['closed']);
    expect(two.heard).toEqual([
      { kind: 'failed', failure: expect.objectContaining({ kind: 'rate_limited', retryAfterMs }) },
    ]);
  },
);

test('without a limit nothing waits', async () => {
  const { open } = world();
  const voices = Array.from({ length: 3 }, () => open({ limit: null }));
  for (const { voice } of voices) voice.speak('a', 'Hello');
  expect(voices.flatMap(({ asked }) => asked)).toEqual(['a: Hello', 'a: Hello', 'a: Hello']);
});
