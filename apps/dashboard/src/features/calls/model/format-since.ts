import { formatSpan } from '../../../shared/format/numbers.ts';

/** An elapsed time with sensible precision: `+0.15 s`, `+2.3 s`, `+1 min 5 s`. */
export function formatSince(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 1) return `+${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `+${seconds.toFixed(1)} s`;
  return `+${formatSpan(seconds)}`;
}
