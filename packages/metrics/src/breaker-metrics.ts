import { parseBreakerName, type OpenBreaker } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauges } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

export interface BreakerMetricsDeps {
  readonly read: () => Promise<readonly OpenBreaker[]>;
  readonly clock: Clock;
  readonly freshMs?: number | undefined;
}

/** What an account does with its own credentials, or alone, is no alarm of the operator's. */
export function measureBreakers(
  { registry, beforeScrape }: Exposition,
  successes: ReadingSuccess,
  { read, clock, freshMs }: BreakerMetricsDeps,
): void {
  const open = openGauges(registry, SYSTEM_GAUGES.breakersOpen);
  beforeScrape(
    createReading({
      clock,
      freshMs,
      read,
      show(reading) {
        successes.note('breakers', reading !== null);
        const counts = new Map<string, number>();
        for (const { breaker, owner } of reading ?? []) {
          const parsed = owner === null ? parseBreakerName(breaker) : null;
          if (parsed === null) continue;
          const use = `${parsed.provider}/${parsed.component}`;
          counts.set(use, (counts.get(use) ?? 0) + 1);
        }
        open(counts);
      },
    }),
  );
}
