import { formatTraceParent, isSampled } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { EVENT_METRICS } from './catalogue.ts';
import { createExposition } from './exposition.ts';
import { openCounter, openGauge, openHistogram, openHistogramBy } from './instruments.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const position = { traceId: TRACE, spanId: '00f067aa0ba902b7' };
const sampled = formatTraceParent({ ...position, isSampled: true });
const unsampled = formatTraceParent({ ...position, traceId: 'f'.repeat(32), isSampled: false });

function stage() {
  const exposition = createExposition();
  const { registry } = exposition;
  return {
    expose: exposition.expose,
    accepting: openHistogramBy(registry, EVENT_METRICS.accepting),
    queueWait: openHistogram(registry, EVENT_METRICS.queueWait),
    lateness: openHistogram(registry, EVENT_METRICS.scheduleLateness),
    retries: openCounter(registry, EVENT_METRICS.settleRetries),
    depth: openGauge(registry, { name: 'outdial_depth', help: 'Depth.' }),
  };
}

const bucketsOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`${name}_bucket`) && line.includes(' # '));

test('the bucket of a sampled call names its trace, and that of no other call', async () => {
  const { expose, accepting, queueWait, lateness } = stage();
  accepting('accepted', 0.02, sampled);
  accepting('refused', 0.02, unsampled);
  accepting('failed', 0.02);
  queueWait(2, sampled);
  queueWait(100_000, sampled);
  queueWait(0.01, null);
  lateness(2, sampled);
  expect(isSampled(unsampled)).toBe(false);
  const text = await expose('openmetrics');
  expect(bucketsOf(text, 'outdial_accept_duration_seconds')).toEqual([
    expect.stringMatching(
      `^outdial_accept_duration_seconds_bucket{le="0.025",outcome="accepted"} 1 # {trace_id="${TRACE}"} 0.02 \\d+(\\.\\d+)?$`,
    ),
  ]);
  expect(bucketsOf(text, 'outdial_queue_wait_seconds')).toEqual([
    expect.stringContaining(`{le="2.5"} 2 # {trace_id="${TRACE}"} 2 `),
    expect.stringContaining(`{le="+Inf"} 3 # {trace_id="${TRACE}"} 100000 `),
  ]);
  expect(bucketsOf(text, 'outdial_schedule_lateness_seconds')).toEqual([]);
});

test('the text of Prometheus stays as it is, however often OpenMetrics is asked for', async () => {
  const { expose, accepting, retries, depth } = stage();
  accepting('accepted', 0.02, sampled);
  retries(2);
  depth(7);
  const before = await expose();
  expect(before).toContain('# TYPE outdial_settle_retries_total counter\noutdial_settle_retries_total 2\n');
  expect(before).not.toContain(TRACE);
  const [first, second] = [await expose('openmetrics'), await expose('openmetrics')];
  expect(second).toBe(first);
  expect(first).toContain('# TYPE outdial_settle_retries counter\noutdial_settle_retries_total 2\n');
  expect(first).toContain('\noutdial_depth 7\n');
  expect(first).toMatch(/[^\n]\n# EOF\n$/);
  expect(first).not.toContain('\n\n');
  expect(await expose('prometheus')).toBe(before);
});
