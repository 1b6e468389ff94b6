import type { CallEventBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { notPermittedOf } from './not-permitted.ts';

const ended = (data: Record<string, unknown>): readonly CallEventBody[] => [
  { id: '1', at: '2026-11-20T14:26:00.123Z', type: 'scheduled', data: {} },
  { id: '2', at: '2026-11-21T14:26:00.123Z', type: 'ended', data: { ended_reason: 'not_permitted', ...data } },
];

test('a call that was not permitted says what to do, by the code of its end', () => {
  expect(notPermittedOf(ended({ code: 'agent_access_denied' }))).toEqual({
    text: expect.stringContaining('Choose another agent'),
    obstacle: 'agents',
  });
  expect(notPermittedOf(ended({ code: 'no_outbound_number' })).obstacle).toBe('numbers');
});

test('a call that was not permitted has a sentence, even if its code is unknown or its timeline is not loaded', () => {
  const texts = [[], ended({}), ended({ code: 7 }), ended({ code: 'constructor' })].map(
    (events) => notPermittedOf(events).text,
  );
  expect(new Set(texts)).toEqual(new Set([expect.stringMatching(/\.$/)]));
});
