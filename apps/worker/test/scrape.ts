import type { Worker } from '../src/worker.ts';
import type { ChildWorker } from './child-worker.ts';

const POLL_MS = 100;
/** `name{label="value"} 1`: all labels of the product are one a metric, but for buckets. */
const SERIES = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

/** A worker of this process, or where another process serves its metrics. */
export type MetricsSource = string | Pick<Worker, 'exposeMetrics'>;

/** What one process tells Prometheus. */
export interface Scrape {
  readonly text: string;
  /** Every series as it is named, without its value. */
  readonly series: readonly string[];
  /** Undefined if there is no such series. */
  value(name: string, label?: string): number | undefined;
}

export async function scrape(source: MetricsSource): Promise<Scrape> {
  const text = typeof source === 'string' ? await fetched(source) : await source.exposeMetrics();
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const { name, labels, value } = SERIES.exec(line)?.groups ?? {};
    if (name !== undefined) values.set(labels === undefined ? name : `${name}{${labels}}`, Number(value));
  }
  return {
    text,
    series: [...values.keys()],
    value: (name, label) => values.get(label === undefined ? name : `${name}{${label}}`),
  };
}

async function fetched(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return text;
}

/** The first scrape of which this is true. Readings are shared for a while: it may take some more. */
export async function scrapeUntil(source: MetricsSource, isMet: (scraped: Scrape) => boolean): Promise<Scrape> {
  for (;;) {
    const scraped = await scrape(source);
    if (isMet(scraped)) return scraped;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Where a worker that was started with WORKER_METRICS_PORT tells its metrics. */
export async function metricsUrlOf(worker: ChildWorker): Promise<string> {
  await worker.said('metrics are told');
  return String(worker.linesOf('metrics are told')[0]?.['metricsUrl']);
}
