import { CALL_STATUSES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { optOutConsequence } from './opt-out-words.ts';

test('an opt-out says what happens to the call in each of its states', () => {
  for (const status of CALL_STATUSES) expect(optOutConsequence({ status })).toMatch(/^This call .*\.$/);
  expect(optOutConsequence({ status: 'in_progress' })).toContain('goes on');
  expect(optOutConsequence({ status: 'scheduled' })).toContain('without being dialed');
});
