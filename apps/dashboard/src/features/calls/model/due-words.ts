import type { ChangedCall } from '@outdial/contracts';
import { formatDate } from '../../../shared/format/times.ts';

const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const thisYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** When a scheduled call is due, or what it waits for once it is. Empty for any other call. */
export function dueWords(call: Pick<ChangedCall, 'status' | 'scheduled_for' | 'waiting_for'>, nowMs: number): string {
  if (call.status !== 'scheduled') return '';
  if (call.waiting_for === 'capacity') return 'Waits for a slot';
  if (call.waiting_for === 'funds') return 'Waits for funds';
  if (call.waiting_for === 'window') return 'Waits for calling hours';
  if (call.waiting_for === 'cap') return 'Called too often, waits';
  if (call.waiting_for === 'campaign') return 'Campaign is held';
  if (call.waiting_for === 'pace') return 'Waits for its pace';
  if (call.waiting_for === 'provider') return 'Waits for a provider';
  return call.scheduled_for === null ? 'Due now' : `Due ${formatDue(call.scheduled_for, nowMs)}`;
}

/** Today to the minute, this year with the day, later ones by the day alone. */
function formatDue(iso: string, nowMs: number): string {
  const [due, now] = [new Date(iso), new Date(nowMs)];
  if (due.toDateString() === now.toDateString()) return minutes.format(due);
  return due.getFullYear() === now.getFullYear() ? thisYear.format(due) : formatDate(iso);
}
