import { SYSTEM_GAUGES, type ReadingName } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauges } from './instruments.ts';

/** Which readings succeeded: the metrics of a failed one are absent, so that an alarm on them would stay silent. */
export interface ReadingSuccess {
  note(reading: ReadingName, isRead: boolean): void;
  /** This process no longer takes the reading. */
  forget(reading: ReadingName): void;
}

export function createReadingSuccess({ registry }: Exposition): ReadingSuccess {
  const show = openGauges(registry, SYSTEM_GAUGES.readable);
  const last = new Map<string, number>();
  return {
    note(reading, isRead) {
      last.set(reading, Number(isRead));
      show(last);
    },
    forget(reading) {
      if (last.delete(reading)) show(last);
    },
  };
}
