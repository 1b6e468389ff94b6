import { SYSTEM_GAUGES, type ReadingName } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauges } from './instruments.ts';

/** Which readings succeeded: what a failed one would tell is missing, and an alarm on it would stay silent. */
export interface ReadingSuccess {
  note(reading: ReadingName, isRead: boolean): void;
}

export function createReadingSuccess({ registry }: Exposition): ReadingSuccess {
  const show = openGauges(registry, SYSTEM_GAUGES.readable);
  const last = new Map<string, number>();
  return {
    note(reading, isRead) {
      last.set(reading, Number(isRead));
      show(last);
    },
  };
}
