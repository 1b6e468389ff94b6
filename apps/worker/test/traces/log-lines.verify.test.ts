import { formatTraceParent } from '@outdial/kernel';
import { startTraceCollector, type TraceCollector } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { openStage, type Stage } from '../stage.ts';

const FRIENDLY = '+12025550100';
const REQUEST = { spanId: '00f067aa0ba902b7', isSampled: true };

let collector: TraceCollector;
let stage: Stage;
beforeAll(async () => {
  collector = await startTraceCollector();
  stage = await openStage();
});
afterAll(async () => {
  killChildWorkers();
  await stage.close();
  await collector.close();
});

test('every log line of a worker about a sampled call has its trace_id, and those about others have none', async () => {
  const traced = '0af7651916cd43dd8448eb211c80319c';
  const child = startChildWorker(stage.environment({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
  await child.said('taking calls');
  const sampled = await stage.place(FRIENDLY, { traceParent: formatTraceParent({ ...REQUEST, traceId: traced }) });
  const other = await stage.place(FRIENDLY, {
    traceParent: formatTraceParent({ ...REQUEST, traceId: 'e'.repeat(32), isSampled: false }),
  });
  await Promise.all([stage.untilEnded(sampled), stage.untilEnded(other)]);
  child.signal('SIGTERM');
  await child.exited();
  const tracesOf = (callId: string) =>
    child.lines().flatMap((line) => (line['callId'] === callId ? [line['trace_id']] : []));
  expect(tracesOf(sampled).length).toBeGreaterThan(0);
  expect(new Set(tracesOf(sampled))).toEqual(new Set([traced]));
  expect(tracesOf(other).length).toBe(tracesOf(sampled).length);
  expect(new Set(tracesOf(other))).toEqual(new Set([undefined]));
});
