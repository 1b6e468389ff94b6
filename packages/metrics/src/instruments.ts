import { isSampled, tracePositionOf, type TraceParent } from '@outdial/kernel';
import { Counter, Gauge, Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';

/** Only a registry of this kind takes histograms with exemplars. */
export type MetricRegistry = Registry<OpenMetricsContentType>;

/** The definition of a metric in the catalogue. */
export interface MetricSpec {
  readonly name: string;
  readonly help: string;
}

/** One label with a closed list of values, which bounds the number of series. */
export interface LabeledMetricSpec<Value extends string> extends MetricSpec {
  readonly label: string;
  readonly values: readonly Value[];
}

/** One label whose values are names given by operators: trunks, currencies. */
export interface OpenLabelMetricSpec extends MetricSpec {
  readonly label: string;
}

export interface HistogramSpec extends MetricSpec {
  readonly buckets: readonly number[];
  /** Each bucket names the trace of its latest observation that was sampled. */
  readonly exemplars?: true;
}

export interface LabeledHistogramSpec<Value extends string> extends HistogramSpec, LabeledMetricSpec<Value> {}

export type Count = (by?: number) => void;
export type CountBy<Value extends string> = (value: Value, by?: number) => void;
/** @param trace where the observed event belongs; for histograms with exemplars */
export type Observe = (seconds: number, trace?: TraceParent | null) => void;
export type ObserveBy<Value extends string> = (value: Value, seconds: number, trace?: TraceParent | null) => void;

/** Sets a gauge; null removes its value. */
export type SetGauge = (value: number | null) => void;
/** Replaces all series of the gauge. */
export type SetGauges = (values: ReadonlyMap<string, number>) => void;

export function openCounter(registry: MetricRegistry, { name, help }: MetricSpec): Count {
  const counter = new Counter({ name, help, registers: [registry] });
  return (by = 1) => counter.inc(by);
}

/** Every series begins at 0: Prometheus sees no increase in a series that appears with its first event. */
export function openCounterBy<Value extends string>(
  registry: MetricRegistry,
  metric: LabeledMetricSpec<Value>,
): CountBy<Value> {
  const { name, help, label, values } = metric;
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  const series = new Map(values.map((value) => [value, { [label]: value }]));
  for (const labels of series.values()) counter.inc(labels, 0);
  return (value, by = 1) => {
    const labels = series.get(value);
    if (labels) counter.inc(labels, by);
  };
}

/** For values that are counted elsewhere: `totals` are copied at each scrape. */
export function openTotals(registry: MetricRegistry, metric: OpenLabelMetricSpec): SetGauges {
  const { name, help, label } = metric;
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  return (totals) => {
    counter.reset();
    for (const [value, total] of totals) counter.inc({ [label]: value }, total);
  };
}

/** For a value that is counted elsewhere: `total` is copied at each scrape. */
export function openTotal(registry: MetricRegistry, { name, help }: MetricSpec): (total: number) => void {
  const counter = new Counter({ name, help, registers: [registry] });
  return (total) => {
    counter.reset();
    counter.inc(total);
  };
}

export function openHistogram(registry: MetricRegistry, metric: HistogramSpec): Observe {
  const { name, help, buckets, exemplars: enableExemplars = false } = metric;
  const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [registry], enableExemplars });
  if (!enableExemplars) return (seconds) => histogram.observe(seconds);
  return (value, trace) => histogram.observe({ value, ...exemplarOf(trace) });
}

export function openHistogramBy<Value extends string>(
  registry: MetricRegistry,
  metric: LabeledHistogramSpec<Value>,
): ObserveBy<Value> {
  const { name, help, label, values, buckets, exemplars: enableExemplars = false } = metric;
  const labelled = { labelNames: [label], buckets: [...buckets], registers: [registry] };
  const histogram = new Histogram<string>({ name, help, ...labelled, enableExemplars });
  const series = new Map(values.map((value) => [value, { [label]: value }]));
  for (const labels of series.values()) histogram.zero(labels);
  return (value, seconds, trace) => {
    const labels = series.get(value);
    if (!labels) return;
    if (enableExemplars) histogram.observe({ labels, value: seconds, ...exemplarOf(trace) });
    else histogram.observe(labels, seconds);
  };
}

/** Of a trace that is not sampled there is nothing to look up. */
function exemplarOf(trace: TraceParent | null | undefined) {
  return trace && isSampled(trace) ? { exemplarLabels: { trace_id: tracePositionOf(trace).traceId } } : undefined;
}

export function openGauge(registry: MetricRegistry, { name, help }: MetricSpec): SetGauge {
  const gauge = new Gauge({ name, help, registers: [registry] });
  gauge.remove();
  return (value) => {
    if (value === null) gauge.remove();
    else gauge.set(value);
  };
}

export function openGauges(registry: MetricRegistry, { name, help, label }: OpenLabelMetricSpec): SetGauges {
  const gauge = new Gauge({ name, help, labelNames: [label], registers: [registry] });
  return (values) => {
    gauge.reset();
    for (const [value, amount] of values) gauge.set({ [label]: value }, amount);
  };
}
