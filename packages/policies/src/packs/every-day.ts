import type { CallingPolicySettings } from '@outdial/contracts';

type WindowRow = CallingPolicySettings['windows'][string];

/** A row of windows with the same times each day. Without times, every day is closed. */
export function everyDay(...times: readonly string[]): WindowRow {
  const day = () => [...times];
  return { mon: day(), tue: day(), wed: day(), thu: day(), fri: day(), sat: day(), sun: day() };
}
