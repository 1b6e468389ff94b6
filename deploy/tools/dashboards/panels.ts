/** A metric of the catalogue, as far as a panel depends on it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly buckets?: readonly number[];
  readonly exemplars?: boolean;
}

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  /** Shows the traces of single observations as dots. */
  readonly exemplar?: true;
}

export interface Panel {
  readonly type: 'timeseries' | 'stat';
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly targets: readonly Target[];
}

/** Whose value it is: of one process, or of the whole system, as every process reports it. */
export type Scope = 'process' | 'system';

/** Every query has it, so that a dashboard shows one installation of a cluster. */
const SELECTOR = '{namespace=~"$namespace"}';
const QUANTILES = [0.5, 0.95, 0.99] as const;

/** Counters and histograms are rates over all processes; a gauge of the system is read from any of them. */
export function panelOf(metric: Metric, scope: Scope): Panel {
  return {
    type: 'timeseries',
    title: titleOf(metric),
    description: metric.help,
    unit: unitOf(metric),
    targets: targetsOf(metric, scope).map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      expr,
      legendFormat,
      ...(metric.exemplars && { exemplar: true }),
    })),
  };
}

/** Its latest value as a number. */
export function statOf(metric: Metric, scope: Scope): Panel {
  return { ...panelOf(metric, scope), type: 'stat' };
}

function targetsOf(metric: Metric, scope: Scope): readonly (readonly [expr: string, legend: string])[] {
  const { name, label, buckets } = metric;
  const legend = label === undefined ? titleOf(metric) : `{{${label}}}`;
  if (buckets !== undefined) {
    const rate = `rate(${name}_bucket${SELECTOR}[$__rate_interval])`;
    return QUANTILES.map((quantile) => [
      `histogram_quantile(${quantile}, sum${by('le', label)} (${rate}))`,
      label === undefined ? `p${quantile * 100}` : `p${quantile * 100} {{${label}}}`,
    ]);
  }
  if (name.endsWith('_total')) return [[`sum${by(label)} (rate(${name}${SELECTOR}[$__rate_interval]))`, legend]];
  if (scope === 'system') return [[`max${by(label)} (${name}${SELECTOR})`, legend]];
  return [
    [
      `max${by('instance', label)} (${name}${SELECTOR})`,
      label === undefined ? '{{instance}}' : `{{instance}} ${legend}`,
    ],
  ];
}

function by(...labels: readonly (string | undefined)[]): string {
  const given = labels.filter((each) => each !== undefined);
  return given.length === 0 ? '' : ` by (${given.join(', ')})`;
}

function unitOf({ name, buckets }: Metric): string {
  if (name.endsWith('_at_seconds')) return 'dateTimeFromNow';
  if (buckets !== undefined || name.endsWith('_seconds')) return 's';
  return name.endsWith('_total') ? 'cps' : 'none';
}

/** `outdial_queue_wait_seconds` is "Queue wait". */
function titleOf({ name }: Metric): string {
  const words = name
    .replace(/^outdial_/, '')
    .replace(/_(?:total|seconds|currency_units)$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
