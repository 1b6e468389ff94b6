import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Observer } from '@outdial/calls';
import type { StoreCondition } from '@outdial/kernel';
import { EVENT_METRICS, PROCESS_GAUGES } from './catalogue.ts';
import { openCounterBy, openGauges, openTotal, openTotals } from './instruments.ts';

/** One process's metrics, and the readings to take before they are exposed. */
export interface Exposition {
  readonly registry: Registry;
  /** Runs before each scrape is answered; never rejects. */
  readonly beforeScrape: (read: () => Promise<void>) => void;
  /** In Prometheus's text format. */
  readonly expose: () => Promise<string>;
}

export function createExposition(): Exposition {
  const registry = new Registry();
  const readings: (() => Promise<void>)[] = [];
  return {
    registry,
    beforeScrape: (read) => void readings.push(read),
    async expose() {
      await Promise.all(readings.map((read) => read()));
      return registry.metrics();
    },
  };
}

/** Memory, CPU, garbage collection and event loop delay, under the usual names of Node processes. */
export function measureProcess({ registry }: Exposition): void {
  collectDefaultMetrics({ register: registry });
}

export function measureStores(
  { registry, beforeScrape }: Exposition,
  conditions: () => readonly StoreCondition[],
): void {
  const away = openGauges(registry, PROCESS_GAUGES.storeAway);
  const outages = openTotals(registry, EVENT_METRICS.outages);
  beforeScrape(async () => {
    const all = conditions();
    away(new Map(all.map(({ store, isAway }) => [store, Number(isAway)])));
    outages(new Map(all.map(({ store, outages: times }) => [store, times])));
  });
}

/** @param dropped null: nothing is traced. */
export function measureSpans({ registry, beforeScrape }: Exposition, dropped: (() => number) | null): void {
  const total = openTotal(registry, EVENT_METRICS.spansDropped);
  if (dropped) beforeScrape(async () => total(dropped()));
}

/** For the API, which drives no calls and only rebuilds. */
export function createRebuildObserver({ registry }: Exposition): Observer {
  const rebuilt = openCounterBy(registry, EVENT_METRICS.rebuilds);
  const found = openCounterBy(registry, EVENT_METRICS.findings);
  return {
    rebuilt: (outcome) => rebuilt(outcome),
    found: (kind, count) => found(kind, count),
    leaseLost: () => undefined,
  };
}

/** For a worker. */
export function createWorkerObserver(exposition: Exposition): Observer {
  const leasesLost = openCounterBy(exposition.registry, EVENT_METRICS.leasesLost);
  return { ...createRebuildObserver(exposition), leaseLost: (cause) => leasesLost(cause) };
}
