import type { WaitingFor } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { dueWords } from './due-words.ts';

/** Local times, as the user sees them. */
const local = (text: string) => new Date(text).toISOString();
const nowMs = Date.parse(local('2026-11-28T08:00:00'));
const scheduled = (scheduled_for: string | null, waiting_for: WaitingFor | null = 'time') =>
  dueWords({ status: 'scheduled', scheduled_for, waiting_for }, nowMs);

test('the list shows when a scheduled call is due, with the day unless it is today', () => {
  expect(scheduled(local('2026-11-28T09:05:00'))).toBe('Due 09:05');
  expect(scheduled(local('2026-11-30T09:05:00'))).toBe('Due 30 Nov, 09:05');
  expect(scheduled(local('2027-01-02T09:05:00'))).toBe('Due 2 Jan 2027');
  expect(scheduled(null, null)).toBe('Due now');
});

test('the list shows what a call that is due waits for', () => {
  expect(scheduled(local('2026-11-28T07:00:00'), 'capacity')).toBe('Waits for a slot');
  expect(scheduled(null, 'funds')).toBe('Waits for funds');
  expect(scheduled(null, 'window')).toBe('Waits for calling hours');
  expect(scheduled(null, 'cap')).toBe('Called too often, waits');
  expect(scheduled(null, 'campaign')).toBe('Campaign is held');
  expect(scheduled(null, 'pace')).toBe('Waits for its pace');
  expect(scheduled(null, 'provider')).toBe('Waits for a provider');
});

test('a call that is not scheduled shows no due time', () => {
  expect(dueWords({ status: 'queued', scheduled_for: local('2026-11-28T07:00:00'), waiting_for: null }, nowMs)).toBe(
    '',
  );
});
