import type { Worker } from '../src/lifecycle/worker.ts';
import type { ChildWorker } from './child-worker.ts';

const POLL_MS = 100;
/** Matches `name{label="value"} 1`: every metric of the product has at most one label, except for buckets. */
const SERIES = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

/** A worker in this process, or the URL of another process's metrics. */
export type MetricsSource = string | Pick<Worker, 'exposeMetrics'>;

/** The metrics of one process. */
export interface Scrape {
  readonly text: string;
  /** Every series by its name, without its value. */
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

/** The first scrape for which this holds. Reads are shared for a while, so it may take several. */
export async function scrapeUntil(source: MetricsSource, isMet: (scraped: Scrape) => boolean): Promise<Scrape> {
  for (;;) {
    const scraped = await scrape(source);
    if (isMet(scraped)) return scraped;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The URL at which a worker that was started with WORKER_METRICS_PORT serves its metrics. */
export async function metricsUrlOf(worker: ChildWorker): Promise<string> {
  await worker.said('serving metrics');
  return String(worker.linesOf('serving metrics')[0]?.['metricsUrl']);
}
