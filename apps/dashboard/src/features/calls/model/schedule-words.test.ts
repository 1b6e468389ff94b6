import { WAITING_FOR } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { hasSchedule, scheduleSentences, waitingSentence } from './schedule-words.ts';

const nowMs = Date.parse('2026-11-28T08:00:00.000Z');
const at = '2026-11-28T09:00:00.000Z';
const time = (iso: string) => iso.slice(11, 16);
const call = (part: Partial<Parameters<typeof scheduleSentences>[0]> = {}) => ({
  scheduled_for: at,
  expires_at: '2026-11-29T10:30:00.000Z',
  waiting_for: 'time' as const,
  ...part,
});

test('a scheduled call says when it is due, what it waits for and when it gives up', () => {
  expect(scheduleSentences(call(), { nowMs, time }).join(' ')).toBe(
    'The call is due on 09:00. Until then it reserves no funds and no slot. If no worker dials it by 10:30, it ends.',
  );
  expect(waitingSentence(call(), { nowMs, time })).toBe('Waiting for its time.');
});

test('a call that is due says why it is not dialed yet', () => {
  const waits = (waiting_for: 'capacity' | 'funds') =>
    scheduleSentences(call({ waiting_for, scheduled_for: null }), { nowMs, time }).join(' ');
  expect(waits('capacity')).toContain('All slots are taken');
  expect(waits('funds')).toContain('balance');
  expect(waitingSentence(call({ waiting_for: 'capacity' }), { nowMs, time })).toBe('Waiting for a free slot.');
});

test('a call that the calling policy holds up says until when', () => {
  const until = '2026-11-28T13:00:00.000Z';
  const waits = call({ waiting_for: 'window' });
  expect(waitingSentence(waits, { nowMs, time, until })).toBe('Waiting for calling hours, until 13:00.');
  expect(scheduleSentences(waits, { nowMs, time, until })[1]).toBe(
    'The callee’s calling hours are closed, so it waits until they open: 13:00.',
  );
  expect(scheduleSentences(call({ waiting_for: 'cap' }), { nowMs, time, until })[1]).toContain('called again: 13:00.');
});

test('a call that waits for the hours of a later time has not been due', () => {
  const waits = call({ waiting_for: 'window' });
  const dayBefore = Date.parse(at) - 86_400_000;
  expect(scheduleSentences(waits, { nowMs: dayBefore, time })[0]).toMatch(/^The call was asked for /);
  expect(scheduleSentences(waits, { nowMs: Date.parse(at) + 1, time })[0]).toMatch(/^The call has been due since /);
});

test('a call whose time has come since it was read is due now', () => {
  const later = Date.parse(at) + 1;
  expect(waitingSentence(call(), { nowMs: later, time })).toBe('Due now.');
  expect(scheduleSentences(call(), { nowMs: later, time })[0]).toContain('due now');
});

test('a call of a campaign says what its campaign waits for', () => {
  const waits = (waiting_for: 'campaign' | 'pace' | 'provider') =>
    scheduleSentences(call({ waiting_for }), { nowMs, time })[0];
  expect(waits('campaign')).toContain('paused');
  expect(waits('pace')).toContain('a second');
  expect(waits('provider')).toContain('provider');
  expect(waitingSentence(call({ waiting_for: 'provider' }), { nowMs, time })).toBe(
    'Waiting for a line of the model’s provider.',
  );
});

test('every wait has sentences, whatever is unknown', () => {
  for (const waiting_for of [...WAITING_FOR, null]) {
    const sentences = scheduleSentences({ waiting_for, scheduled_for: null, expires_at: null }, { nowMs, time });
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test('a call that was dialed at once without retries has no schedule', () => {
  const none = { status: 'queued', scheduled_for: null, expires_at: null, retry_of: null, next_call_id: null } as const;
  expect(hasSchedule(none)).toBe(false);
  expect(hasSchedule({ ...none, status: 'scheduled' })).toBe(true);
  expect(hasSchedule({ ...none, next_call_id: 'abc' })).toBe(true);
});
