import { formatClockTime, formatDateTime } from '../../../shared/format/times.ts';

/** The time alone for calls of today, which most people look at; with the date for those before. */
export function formatCreated(iso: string, nowMs: number): string {
  const isToday = new Date(iso).toDateString() === new Date(nowMs).toDateString();
  return isToday ? formatClockTime(iso) : formatDateTime(iso);
}
