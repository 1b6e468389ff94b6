import { WEEKDAYS, type CallingWeek } from '@outdial/contracts';
import { DAY_MINUTES, WEEK_MINUTES } from './time-units.ts';

/** The minutes of a local week, from Monday 00:00, in which every row is open. */
export interface WeekWindows {
  readonly opensAtStart: boolean;
  /** The minutes at which that changes, in order: a few bytes instead of 10,080. */
  readonly edges: Uint16Array;
}

export function weekWindows(rows: readonly CallingWeek[]): WeekWindows {
  const open = new Uint8Array(WEEK_MINUTES).fill(1);
  for (const row of rows) closeOutside(row, open);
  const edges: number[] = [];
  for (let minute = 1; minute < WEEK_MINUTES; minute += 1) {
    if (open[minute] !== open[minute - 1]) edges.push(minute);
  }
  return { opensAtStart: open[0] === 1, edges: Uint16Array.from(edges) };
}

function closeOutside(row: CallingWeek, open: Uint8Array): void {
  WEEKDAYS.forEach((weekday, day) => {
    const start = day * DAY_MINUTES;
    let closedFrom = start;
    for (const interval of row[weekday]) {
      open.fill(0, closedFrom, start + minutesOf(interval.slice(0, 5)));
      closedFrom = start + minutesOf(interval.slice(6));
    }
    open.fill(0, closedFrom, start + DAY_MINUTES);
  });
}

/** Of `24:00` too. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** How many edges are at the minute or before it. */
export function edgesUntil({ edges }: WeekWindows, minute: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? WEEK_MINUTES) <= minute) low = middle + 1;
    else high = middle;
  }
  return low;
}
