import { CALL_EVENT_TYPES, type CallEventBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { eventWords } from './event-words.ts';
import { formatSince } from './format-since.ts';

const format = {
  money: (amount: number) => `$${amount}`,
  reason: (reason: string) => reason,
  sipCode: (code: number) => String(code),
};
const event = (type: CallEventBody['type'], data: Record<string, unknown> = {}): CallEventBody => ({
  id: '1',
  at: '2026-11-20T14:26:00.123Z',
  type,
  data,
});

test('every event has words, even if its data is missing or malformed', () => {
  for (const type of CALL_EVENT_TYPES) {
    expect(eventWords(event(type), format).title).not.toBe('');
    const strange = event(type, { sip_code: 'x', answered_by: 7, ended_reason: [], hold: null });
    expect(eventWords(strange, format)).toEqual(eventWords(event(type), format));
  }
});

test('an event shows its data', () => {
  expect(eventWords(event('ended', { ended_reason: 'busy', sip_code: 486 }), format).detail).toBe('busy · 486');
  expect(eventWords(event('answered_by', { answered_by: 'voicemail' }), format).detail).toBe('Voicemail');
  expect(eventWords(event('hold_enlarged', { hold: 0.048 }), format).detail).toMatch('$0.048');
});

test('the time between events has a sensible precision', () => {
  expect([0, 150, 2_300, 59_960, 65_000].map(formatSince)).toEqual([
    '+0.00 s',
    '+0.15 s',
    '+2.3 s',
    '+1 min',
    '+1 min 5 s',
  ]);
});
