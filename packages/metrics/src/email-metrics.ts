import type { Clock } from '@outdial/kernel';
import { SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauge } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

export interface EmailBacklog {
  readonly pending: number;
  readonly oldestDueSeconds: number;
}

export interface EmailMetricsDeps {
  readonly read: () => Promise<EmailBacklog>;
  readonly clock: Clock;
}

/** What waits for the mail server. A failed reading leaves the gauges out. */
export function measureEmails(
  { registry, beforeScrape }: Exposition,
  successes: ReadingSuccess,
  { read, clock }: EmailMetricsDeps,
): void {
  const pending = openGauge(registry, SYSTEM_GAUGES.emailsPending);
  const oldestDue = openGauge(registry, SYSTEM_GAUGES.emailsOldestDue);
  beforeScrape(
    createReading({
      clock,
      read,
      show(reading) {
        successes.note('emails', reading !== null);
        pending(reading && reading.pending);
        oldestDue(reading && reading.oldestDueSeconds);
      },
    }),
  );
}
