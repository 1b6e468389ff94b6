import { CALL_EVENT_TYPES, type CallEventBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { eventWords, waitingUntil } from './event-words.ts';
import { formatSince } from './format-since.ts';

const format = {
  money: (amount: number) => `$${amount}`,
  reason: (reason: string) => reason,
  time: (iso: string) => iso,
  sipCode: (code: number) => String(code),
};
const event = (type: CallEventBody['type'], data: Record<string, unknown> = {}): CallEventBody => ({
  id: '1',
  at: '2026-11-20T14:26:00.123Z',
  type,
  data,
});
const optedOut = (data: Record<string, unknown>) => eventWords(event('opted_out', data), format).detail;
const transfer = (data: Record<string, unknown>) => eventWords(event('transfer', data), format);
const called = (data: Record<string, unknown>) => eventWords(event('tool_called', data), format);

test('every event has words, even if its data is missing or malformed', () => {
  for (const type of CALL_EVENT_TYPES) {
    expect(eventWords(event(type), format).title).not.toBe('');
    const strange = event(type, {
      sip_code: 'x',
      answered_by: 7,
      ended_reason: [],
      hold: null,
      for: 'x',
      outcome: 'x',
      evidence: 'x',
      note: 7,
      name: 3,
      destination: 7,
      state: 'x',
      scheduled_for: 'soon',
      until: 'soon',
    });
    expect(eventWords(strange, format)).toEqual(eventWords(event(type), format));
  }
});

test('an event shows its data', () => {
  expect(eventWords(event('ended', { ended_reason: 'busy', sip_code: 486 }), format).detail).toBe('busy · 486');
  expect(eventWords(event('answered_by', { answered_by: 'voicemail' }), format).detail).toBe('Voicemail');
  expect(eventWords(event('hold_enlarged', { hold: 0.048 }), format).detail).toMatch('$0.048');
});

test('a scheduled call shows for when it is scheduled and what it waits for', () => {
  const at = '2026-11-28T08:00:00.000Z';
  expect(eventWords(event('scheduled', { scheduled_for: at }), format)).toEqual({
    title: 'Scheduled',
    detail: `For ${at}`,
  });
  expect(eventWords(event('scheduled', { scheduled_for: null }), format).detail).toBeNull();
  expect(eventWords(event('waiting', { for: 'capacity' }), format).detail).toBe('For a free slot');
  expect(eventWords(event('waiting', { for: 'window', until: at }), format).detail).toBe(
    `For calling hours, until ${at}`,
  );
});

test('a transfer shows its destination, and why it failed', () => {
  const destination = 'Sales';
  expect(transfer({ destination, state: 'started' })).toEqual({ title: 'Transfer started', detail: 'To Sales' });
  expect(transfer({ destination, state: 'succeeded', sip_code: 200 })).toEqual({
    title: 'Transferred',
    detail: 'To Sales · 200',
  });
  expect(transfer({ destination, state: 'failed', failure: 'failed', sip_code: 486 })).toEqual({
    title: 'Not transferred',
    detail: 'To Sales · The destination could not be reached · 486',
  });
});

test('a tool call shows its name, its outcome and its time, and why it did not succeed', () => {
  expect(called({ name: 'free_slots', outcome: 'ok', duration_ms: 421, result: '{"slots":[]}' })).toEqual({
    title: 'Tool called: free_slots',
    detail: 'Succeeded in 0.42 s',
  });
  expect(called({ name: 'book', outcome: 'failed', duration_ms: 12_000, result: 'status 503' }).detail).toBe(
    'Failed in 12 s: status 503',
  );
  expect(called({ name: 'end_call', outcome: 'refused', duration_ms: 0 }).detail).toBe('Refused');
});

test('a failure of a provider shows what the model does', () => {
  const failed = event('provider_failed', { component: 'llm', failure: 'timeout' });
  expect(eventWords(failed, format).detail).toBe('Language model · timeout');
  const recovered = event('provider_recovered', { component: 'tts', after_ms: 1_500 });
  expect(eventWords(recovered, format).detail).toBe('Text to speech · after 1.50 s');
});

test('an opt-out shows how it is known and what was said', () => {
  expect(optedOut({ evidence: 'key' })).toBe('The callee pressed the key for no more calls');
  expect(optedOut({ evidence: 'tool', note: 'Take me off your list.' })).toMatch(/^The callee asked .* · Take me off/);
  expect(optedOut({ evidence: 'request', note: 'n'.repeat(500) })?.length).toBeLessThan(300);
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

test('the timeline says until when the call waits, unless it waits for something else since', () => {
  const until = '2026-11-28T08:00:00.000Z';
  const events = [event('scheduled'), event('waiting', { for: 'window', until })];
  expect(waitingUntil(events, 'window')).toBe(until);
  expect(waitingUntil(events, 'capacity')).toBeNull();
  expect(waitingUntil([...events, event('waiting', { for: 'capacity' })], 'window')).toBeNull();
  expect(waitingUntil([], 'window')).toBeNull();
});
