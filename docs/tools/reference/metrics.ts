import { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from '@outdial/metrics';
import { code, codes, table } from './table.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly values?: readonly string[];
  readonly buckets?: readonly number[];
}

export function metricsPage(): string {
  return [
    '# Metrics',
    '`METRICS_PORT` opens `/metrics` of the API, `WORKER_METRICS_PORT` that of a worker. [The runbook](../runbook.md) explains how to scrape them and what each alarm means. Durations are in seconds, money in currency units.',
    '`process_…` and `nodejs_…` are the standard metrics of a Node process.',
    '## Counters and histograms',
    'Each process counts its own events. Sum them over all processes.',
    metricTable(Object.values(EVENT_METRICS)),
    '## Gauges of one process',
    metricTable(Object.values(PROCESS_GAUGES)),
    '## Gauges of the whole system',
    'Every worker reports the same value, and the API those of open calls, of the queue and of the gate. Take the maximum, not the sum.',
    metricTable(Object.values(SYSTEM_GAUGES)),
  ].join('\n\n');
}

function metricTable(metrics: readonly Metric[]): string {
  return table(
    ['Metric', 'Label', 'Meaning'],
    metrics.map(({ name, help, label, values, buckets }) => [
      code(name),
      label === undefined ? '' : code(label),
      [
        help,
        values === undefined ? '' : `Values: ${codes(values)}.`,
        buckets === undefined ? '' : `Buckets: ${buckets.join(', ')}.`,
      ].join(' '),
    ]),
  );
}
