import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { AnswerTimes } from './answer-times.ts';

test('each part begins where the one before ends, and is reported once', async () => {
  const clock = fakeClock();
  const times = new AnswerTimes(clock, 260);
  await clock.advance(120);
  times.firstToken();
  await clock.advance(80);
  times.firstToken();
  await clock.advance(20);
  expect(times.firstSound()).toEqual({ endpointingMs: 260, llmTtftMs: 120, ttsTtfbMs: 100 });
  expect(times.firstSound()).toBeNull();
});

test('a text that no model wrote has no parts', () => {
  expect(new AnswerTimes(fakeClock(), null).firstSound()).toBeNull();
});
