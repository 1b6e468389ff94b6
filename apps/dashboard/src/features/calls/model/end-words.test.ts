import { expect, test } from 'vitest';
import { endWords } from './end-words.ts';

test('a scheduled call is cancelled, a call in progress is hung up, and any other is ended', () => {
  const labels = (['scheduled', 'queued', 'dialing', 'ringing', 'in_progress'] as const).map(
    (status) => endWords({ status, expires_at: null }).label,
  );
  expect(labels).toEqual(['Cancel call', 'End call', 'End call', 'End call', 'Hang up']);
});

test('the end of a call that may have retries says that it is not tried again', () => {
  const expires_at = '2026-11-28T08:00:00.000Z';
  for (const status of ['scheduled', 'ringing', 'in_progress'] as const) {
    expect(endWords({ status, expires_at }).consequence).toContain('not tried again');
  }
  expect(endWords({ status: 'ringing', expires_at: null }).consequence).not.toContain('again');
});
