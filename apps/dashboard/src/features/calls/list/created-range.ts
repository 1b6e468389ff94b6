import { formatDateTime } from '../../../shared/format/times.ts';

export interface Created {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

const HOUR_MS = 3_600_000;

export const PRESETS: readonly { readonly label: string; readonly sinceMs: (nowMs: number) => number }[] = [
  { label: 'Last hour', sinceMs: (nowMs) => nowMs - HOUR_MS },
  { label: 'Today', sinceMs: (nowMs) => new Date(nowMs).setHours(0, 0, 0, 0) },
  { label: 'Last 7 days', sinceMs: (nowMs) => nowMs - 7 * 24 * HOUR_MS },
];

export function describeCreated({ created_after: after, created_before: before }: Created): string {
  if (after !== undefined && before !== undefined) return `${formatDateTime(after)} to ${formatDateTime(before)}`;
  if (after !== undefined) return `Since ${formatDateTime(after)}`;
  if (before !== undefined) return `Before ${formatDateTime(before)}`;
  return 'Any time';
}

const two = (value: number) => String(value).padStart(2, '0');

/** The value for `<input type="datetime-local">`: the user's local time without a zone, to the minute. */
export function toLocalInput(iso: string | undefined): string {
  if (iso === undefined) return '';
  const date = new Date(iso);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Undefined for empty or incomplete input. */
export function fromLocalInput(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
