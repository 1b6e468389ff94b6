import type { ChangedCall } from '@outdial/contracts';
import { formatDuration } from '../../shared/format/numbers.ts';
import { useNow } from '../../shared/hooks/use-now.ts';

type Timed = Pick<ChangedCall, 'status' | 'started_at' | 'duration_seconds'>;

/** From the start of dialing to the end, or until now. */
export function CallDuration({ call }: { readonly call: Timed }) {
  if (call.duration_seconds !== null) return <span className="tabular">{formatDuration(call.duration_seconds)}</span>;
  if (call.started_at === null) return <span aria-hidden>–</span>;
  return <Ticking sinceMs={Date.parse(call.started_at)} />;
}

function Ticking({ sinceMs }: { readonly sinceMs: number }) {
  // Never negative, even if this machine's clock is behind the service's.
  const seconds = Math.max(0, (useNow() - sinceMs) / 1_000);
  return (
    <span className="tabular" role="timer">
      {formatDuration(seconds)}
    </span>
  );
}
