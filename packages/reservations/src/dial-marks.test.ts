import { expect, test } from 'vitest';
import { createDialMarks } from './index.ts';
import { newCallId, openGate } from '@outdial/calls/testing';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

test('one of many concurrent workers may dial a call', async () => {
  const marks = Array.from({ length: 4 }, () => createDialMarks({ redis: under.connect() }));
  const callId = newCallId();
  const answers = await Promise.all(marks.flatMap((mark) => [mark.mark(callId), mark.mark(callId), mark.mark(callId)]));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test('marks of other calls do not matter', async () => {
  const marks = createDialMarks({ redis: under.redis });
  expect(await marks.mark(newCallId())).toBe(true);
  expect(await marks.mark(newCallId())).toBe(true);
});

test('a mark outlives a rebuild, and a day', async () => {
  const marks = createDialMarks({ redis: under.redis });
  const callId = newCallId();
  await marks.mark(callId);
  await openGate(under.gate);
  expect(await marks.mark(callId)).toBe(false);
  expect(await under.redis.ttl(`{outdial}:dialled:${callId}`)).toBeGreaterThan(86_390);
});
