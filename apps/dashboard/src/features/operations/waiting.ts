import type { OperationsBody } from '@outdial/contracts';

type Minute = OperationsBody['waiting'][number];

/** `340 ms`; from one second, `2.3 s`. */
export function formatWait(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The highest p95 wait of any minute in the last hour. Null without calls. */
export function worstWaitMs(waiting: readonly Minute[]): number | null {
  return waiting.length === 0 ? null : Math.max(...waiting.map(({ p95_ms: p95 }) => p95));
}

export interface WaitingPoint {
  readonly minute: string;
  /** Null: no call was accepted in this minute, so the line has a gap. */
  readonly p50: number | null;
  readonly p95: number | null;
}

const MINUTE_MS = 60_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Every minute from the first to the last with calls. */
export function pointsOf(waiting: readonly Minute[]): readonly WaitingPoint[] {
  const byMinute = new Map(waiting.map((minute) => [Date.parse(minute.at), minute]));
  const times = [...byMinute.keys()];
  const points: WaitingPoint[] = [];
  for (let atMs = Math.min(...times); atMs <= Math.max(...times); atMs += MINUTE_MS) {
    const minute = byMinute.get(atMs);
    points.push({
      minute: clock.format(new Date(atMs)),
      p50: minute?.p50_ms ?? null,
      p95: minute?.p95_ms ?? null,
    });
  }
  return points;
}
