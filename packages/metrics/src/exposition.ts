import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Observer } from '@outdial/calls';
import type { StoreCondition } from '@outdial/kernel';
import { EVENT_METRICS, PROCESS_GAUGES } from './catalogue.ts';
import { openCounterBy, openGauges, openTotals } from './instruments.ts';

/** One process's metrics, and what is to be read before they are told. */
export interface Exposition {
  readonly registry: Registry;
  /** Runs before each scrape is answered; rejects never. */
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

/** Memory, CPU, garbage collection and the delay of the event loop, under the names that all Node processes use. */
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

/** For the API, which drives nothing and rebuilds alone. */
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
