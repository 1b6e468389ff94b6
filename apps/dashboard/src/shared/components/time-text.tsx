import { useNow } from '../hooks/use-now.ts';
import { formatDateTime, formatExactTime, formatRelative } from '../format/times.ts';

interface TimeTextProps {
  readonly at: string;
}

/** How long ago; the exact time is the tooltip. */
export function RelativeTime({ at }: TimeTextProps) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatRelative(at, useNow())}
    </time>
  );
}

export function DateTime({ at }: TimeTextProps) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatDateTime(at)}
    </time>
  );
}
