import type { ChildWorker } from './child-worker.ts';

const POLL_MS = 500;
/** `name{label="value"} 1`: all labels of the product are one a metric, but for buckets. */
const SERIES = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

/** What one process tells Prometheus. */
export interface Scrape {
  readonly text: string;
  /** Every series as it is named, without its value. */
  readonly series: readonly string[];
  /** Undefined if there is no such series. */
  value(name: string, label?: string): number | undefined;
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
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

/** The first scrape of which this is true. Readings are shared for five seconds: it may take some more. */
export async function scrapeUntil(url: string, isMet: (scraped: Scrape) => boolean): Promise<Scrape> {
  for (;;) {
    const scraped = await scrape(url);
    if (isMet(scraped)) return scraped;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Where a worker that was started with WORKER_METRICS_PORT tells its metrics. */
export async function metricsUrlOf(worker: ChildWorker): Promise<string> {
  await worker.said('metrics are told');
  return String(worker.linesOf('metrics are told')[0]?.['metricsUrl']);
}
