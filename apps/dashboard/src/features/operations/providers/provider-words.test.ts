import { expect, test } from 'vitest';
import { breakerState, heldBackText, lineWords, openingsText } from './provider-words.ts';

const LINE = { component: 'llm', in_use: 3, max_calls: 40, starts_per_second: 1_000, lowered: [] } as const;
const line = (changes: Partial<Parameters<typeof lineWords>[0]> = {}) => ({ ...LINE, lowered: [], ...changes });
const stateOf = (changes: Partial<Parameters<typeof lineWords>[0]>) =>
  lineWords(line(changes), { check_result: 'ok' }).state?.label ?? null;
const OUTAGE = { until: '2026-12-04T00:00:00.000Z', openings: 1 } as const;

test('a line of a rejected key is closed, whatever is in use', () => {
  expect(lineWords(line(), { check_result: 'rejected' })).toEqual({
    use: '3 of 40 in use',
    state: { label: 'Closed', tone: 'bad' },
  });
});

test('a line is full, lowered or free', () => {
  const lowered = [{ model: 'gpt', max_calls: 2, until: OUTAGE.until }];
  expect(stateOf({ in_use: 40, lowered })).toBe('Full');
  expect(stateOf({ lowered })).toBe('Lowered');
  expect(stateOf({})).toBeNull();
});

test('a line whose use is not known shows its limit, and no zero', () => {
  expect(lineWords(line({ in_use: null }), { check_result: null })).toEqual({ use: 'Up to 40', state: null });
});

test('a breaker is open until a time, then half-open', () => {
  expect(breakerState({ ...OUTAGE, state: 'open' }).label).toMatch(/^Open until \d\d:\d\d:\d\d$/);
  expect(breakerState({ ...OUTAGE, state: 'half_open' }).label).toBe('Half-open: one call may try');
  expect(openingsText({ ...OUTAGE, state: 'open', openings: 3 })).toBe('3 times in a row');
});

test('the notice names a few credentials that hold calls back, and leaves out the others', () => {
  const breaker = { component: 'llm', model: 'gpt', state: 'open', since: OUTAGE.until, ...OUTAGE } as const;
  const healthy = { name: 'main', check_result: 'ok', breakers: [] } as const;
  expect(
    heldBackText([
      { ...healthy, breakers: [] },
      { ...healthy, breakers: null },
    ]),
  ).toBeNull();
  const rejected = { name: 'old', check_result: 'rejected', breakers: [] } as const;
  expect(
    heldBackText([
      { ...rejected, breakers: [] },
      { ...healthy, breakers: [breaker] },
    ]),
  ).toBe('old: key rejected; main: gpt.');
  const many = Array.from({ length: 7 }, () => ({ ...rejected, breakers: [] }));
  expect(heldBackText(many)).toMatch(/; and 2 more\.$/);
});
