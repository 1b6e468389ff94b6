import type { CallingPolicySettings } from '@outdial/contracts';

type WindowRow = CallingPolicySettings['windows'][string];

/** A row of windows with the same time each day. */
export function everyDay(time: string): WindowRow {
  return { mon: [time], tue: [time], wed: [time], thu: [time], fri: [time], sat: [time], sun: [time] };
}
