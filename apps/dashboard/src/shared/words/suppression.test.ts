import { expect, test } from 'vitest';
import type { SuppressionCheck } from '../account/suppressions.ts';
import { listedWords } from './suppression.ts';

const entry = {
  id: '11111111-1111-4111-8111-111111111111',
  number: '+12025550100',
  kind: 'manual',
  source: 'dashboard',
  reason: 'Wrong person',
  call_id: null,
  // On the 20th from Honolulu to Auckland.
  created_at: '2026-11-20T10:30:00.000Z',
} as const;
const check = (part: Partial<SuppressionCheck>): SuppressionCheck => ({
  number: '+12025550100',
  suppressed: true,
  by: 'account',
  suppression: entry,
  ...part,
});

test('a number on no list has no words', () => {
  expect(listedWords(check({ suppressed: false, by: null, suppression: null }), true)).toBeNull();
});

test('an entry that was added shows its reason, and who may remove it', () => {
  const owner = listedWords(check({}), true);
  expect(owner?.title).toBe('On your do-not-call list');
  expect(owner?.text).toBe(
    'The number was added on 20 Nov 2026: “Wrong person”. To call the number, remove it from the list.',
  );
  expect(listedWords(check({}), false)?.text).toContain('ask an owner');
});

test('an opt-out stands for owners too', () => {
  const said = listedWords(check({ suppression: { ...entry, kind: 'opt_out', reason: 'No more calls.' } }), true);
  expect(said?.text).toContain('2026: “No more calls.” The opt-out stands');
  const words = listedWords(check({ suppression: { ...entry, kind: 'opt_out', reason: null } }), true);
  expect(words?.text).toContain('The person opted out on 20 Nov 2026.');
  expect(words?.text).toContain('only your operator lifts it');
});

test('the platform’s list is distinguished from the account’s', () => {
  const words = listedWords(check({ by: 'platform', suppression: null }), true);
  expect(words?.title).toBe('On the platform’s do-not-call list');
  expect(words?.text).toContain('ask your operator');
});
