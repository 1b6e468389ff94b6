import { expect, test } from 'vitest';
import { DEFAULT_WAIT, NO_RETRY, retryDraftOf, retryOf, WAITS } from './retry-draft.ts';
import { waitChoices } from './retry-words.ts';

test('each wait that the form offers has its own words', () => {
  expect(new Set(waitChoices(DEFAULT_WAIT).map(({ label }) => label)).size).toBe(WAITS.length);
});

test('a retry is the same after a way through the form, with waits that the form does not offer too', () => {
  expect(retryDraftOf(null)).toEqual(NO_RETRY);
  for (const after_seconds of [[900, 3_600, 14_400], [300], [600, 1_200]]) {
    const draft = retryDraftOf({ max_attempts: 4, on: ['busy'], after_seconds });
    const { after_seconds: sent = [900, 3_600, 14_400], ...rest } = retryOf(draft);
    expect({ ...rest, sent }).toEqual({ max_attempts: 4, on: ['busy'], sent: after_seconds });
  }
  expect(waitChoices('600,1200').at(-1)).toEqual({ value: '600,1200', label: '10 min, then 20 min' });
});
