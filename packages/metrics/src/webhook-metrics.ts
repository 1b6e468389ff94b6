import type { Clock } from '@outdial/kernel';
import { SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauge } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

export interface WebhookBacklog {
  readonly pending: number;
  readonly oldestDueSeconds: number;
  /** Endpoints. */
  readonly disabled: number;
}

export interface WebhookMetricsDeps {
  readonly read: () => Promise<WebhookBacklog>;
  readonly clock: Clock;
  readonly freshMs?: number | undefined;
}

/** What waits to be sent. A failed reading leaves the gauges out. */
export function measureWebhooks(
  { registry, beforeScrape }: Exposition,
  successes: ReadingSuccess,
  { read, clock, freshMs }: WebhookMetricsDeps,
): void {
  const pending = openGauge(registry, SYSTEM_GAUGES.webhooksPending);
  const oldestDue = openGauge(registry, SYSTEM_GAUGES.webhooksOldestDue);
  const disabled = openGauge(registry, SYSTEM_GAUGES.webhookEndpointsDisabled);
  beforeScrape(
    createReading({
      clock,
      freshMs,
      read,
      show(reading) {
        successes.note('webhooks', reading !== null);
        pending(reading && reading.pending);
        oldestDue(reading && reading.oldestDueSeconds);
        disabled(reading && reading.disabled);
      },
    }),
  );
}
