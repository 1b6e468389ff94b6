import { completeTime } from '../forms/complete-time.ts';

interface TimeOfDay {
  /** 0 is the beginning of the day and 1 its end. */
  readonly from: number;
  readonly to: number;
}

/** What the picture of a week draws. Null: the text is no time. */
export function readTime(text: string): TimeOfDay | null {
  const found = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(completeTime(text));
  if (found === null) return null;
  const [from, to] = [partOfDay(found[1], found[2]), partOfDay(found[3], found[4])];
  return from < to && to <= 1 ? { from, to } : null;
}

function partOfDay(hours: string | undefined, minutes: string | undefined): number {
  return (Number(hours) + Number(minutes) / 60) / 24;
}
