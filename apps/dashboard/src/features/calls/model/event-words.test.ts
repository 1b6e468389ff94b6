import { CALL_EVENT_TYPES, type CallEventBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { eventWords } from './event-words.ts';
import { formatSince } from './format-since.ts';

const tell = {
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

test('every event has words, also where what belongs to it is missing or of another form', () => {
  for (const type of CALL_EVENT_TYPES) {
    expect(eventWords(event(type), tell).title).not.toBe('');
    const strange = event(type, { sip_code: 'x', answered_by: 7, ended_reason: [], hold: null });
    expect(eventWords(strange, tell)).toEqual(eventWords(event(type), tell));
  }
});

test('an event tells what belongs to it', () => {
  expect(eventWords(event('ended', { ended_reason: 'busy', sip_code: 486 }), tell).detail).toBe('busy · 486');
  expect(eventWords(event('answered_by', { answered_by: 'voicemail' }), tell).detail).toBe('Voicemail');
  expect(eventWords(event('hold_enlarged', { hold: 0.048 }), tell).detail).toMatch('$0.048');
});

test('the time between events is told as exactly as it matters', () => {
  expect([0, 150, 2_300, 59_960, 65_000].map(formatSince)).toEqual([
    '+0.00 s',
    '+0.15 s',
    '+2.3 s',
    '+1 min',
    '+1 min 5 s',
  ]);
});
