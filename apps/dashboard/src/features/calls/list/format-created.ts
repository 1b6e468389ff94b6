import { formatClockTime, formatDate } from '../../../shared/format/times.ts';

const thisYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Today's calls to the second, this year's to the minute, older ones to the day. */
export function formatCreated(iso: string, nowMs: number): string {
  const [created, now] = [new Date(iso), new Date(nowMs)];
  if (created.toDateString() === now.toDateString()) return formatClockTime(iso);
  return created.getFullYear() === now.getFullYear() ? thisYear.format(created) : formatDate(iso);
}
