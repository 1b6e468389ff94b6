import { collectDefaultMetrics, Registry, type OpenMetricsContentType, type RegistryContentType } from 'prom-client';
import type { Observer } from '@outdial/calls';
import type { StoreCondition } from '@outdial/kernel';
import { EVENT_METRICS, PROCESS_GAUGES } from './catalogue.ts';
import { openCounterBy, openGauges, openTotal, openTotals, type MetricRegistry } from './instruments.ts';

/** One process's metrics, and the readings to take before they are exposed. */
export interface Exposition {
  readonly registry: MetricRegistry;
  /** Runs before each scrape is answered; never rejects. */
  readonly beforeScrape: (read: () => Promise<void>) => void;
  readonly expose: Expose;
}

/** `openmetrics` has exemplars, which Prometheus's own text format cannot have. */
export type ExpositionFormat = 'prometheus' | 'openmetrics';

export const CONTENT_TYPES = {
  prometheus: Registry.PROMETHEUS_CONTENT_TYPE,
  openmetrics: Registry.OPENMETRICS_CONTENT_TYPE,
} as const satisfies Readonly<Record<ExpositionFormat, RegistryContentType>>;

/** `prometheus` unless given. */
export type Expose = (format?: ExpositionFormat) => Promise<string>;

export function createExposition(): Exposition {
  const registry: MetricRegistry = new Registry<OpenMetricsContentType>();
  // A registry of Prometheus's content type rejects histograms with exemplars.
  registry.setContentType(CONTENT_TYPES.openmetrics);
  const readings: (() => Promise<void>)[] = [];
  return {
    registry,
    beforeScrape: (read) => void readings.push(read),
    async expose(format = 'prometheus') {
      await Promise.all(readings.map((read) => read()));
      return viewOf(registry, CONTENT_TYPES[format]).metrics();
    },
  };
}

/**
 * The library renames the counters that it writes as OpenMetrics, and another scrape would find the new names. It therefore
 * gets a view of each metric, for one scrape.
 */
function viewOf(registry: MetricRegistry, contentType: RegistryContentType): Registry<RegistryContentType> {
  const view = new Registry<RegistryContentType>();
  view.setContentType(contentType);
  for (const metric of registry.getMetricsAsArray()) view.registerMetric(Object.create(metric));
  return view;
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
