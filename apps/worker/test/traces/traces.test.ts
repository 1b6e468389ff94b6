import { formatTraceParent } from '@outdial/kernel';
import { startTraceCollector, type TraceCollector } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHookStage, type HookStage } from '../webhooks/hook-stage.ts';

const FRIENDLY = '+12025550100';
const REQUEST = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true };
/** In the variables, the metadata and the address of a receiver. */
const CANARY = 'tangerine';
const KEY = '4f'.repeat(32);

let collector: TraceCollector;
let stage: HookStage;
let worker: Awaited<ReturnType<HookStage['startWorker']>>;
beforeAll(async () => {
  collector = await startTraceCollector();
  stage = await openHookStage();
  worker = await stage.startWorker({
    ...stage.hookEnvironment,
    OUTDIAL_SIMULATED_MEDIA: 'frames',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}`,
    OTEL_TRACES_SAMPLER: 'always_on',
  });
});
afterAll(async () => {
  await stage.close();
  await collector.close();
});

test('a whole call has its spans in the trace of its request, and none has a number, a key or what was said', async () => {
  const receiver = await stage.receiver();
  await stage.endpoint({ url: `${receiver.url}?token=${CANARY}`, events: ['call.ended'] });
  const callId = await stage.place(FRIENDLY, {
    name: `Ada ${CANARY}`,
    fields: { metadata: { order: CANARY } },
    traceParent: formatTraceParent(REQUEST),
  });
  const call = await stage.untilEnded(callId);
  const [received] = await receiver.until(1);
  const metrics = await worker.exposeMetrics('openmetrics');
  expect(metrics).toMatch(`# {trace_id="${REQUEST.traceId}"}`);
  await stage.stopWorkers();

  const ofCall = collector.spans.filter(({ traceId }) => traceId === REQUEST.traceId);
  expect(ofCall.map(({ name }) => name).toSorted()).toEqual(['call.dial', 'call.queued', 'call.settle', 'call.talk']);
  for (const { parentSpanId, attributes } of ofCall) {
    expect(parentSpanId).toBe(REQUEST.spanId);
    expect(attributes).toMatchObject({ 'outdial.call.id': callId, 'outdial.account.id': stage.accountId });
  }
  const byName = new Map(collector.spans.map((span) => [span.name, span]));
  expect(byName.get('call.settle')?.attributes).toMatchObject({ ended_reason: call.endedReason });
  expect(byName.get('call.talk')?.events.map(({ name }) => name)).toContain('answered_by');
  const talk = byName.get('call.talk');
  expect(Number((talk?.endNanos ?? 0n) - (talk?.startNanos ?? 0n)) / 1_000_000_000).toBeGreaterThan(0.1);
  expect(byName.get('postgres.commit')?.links).toMatchObject([{ spanId: byName.get('call.settle')?.spanId }]);

  const deliver = byName.get('webhook.deliver');
  expect(deliver).toMatchObject({ parentSpanId: '', links: [{ spanId: REQUEST.spanId }] });
  expect(received?.headers['traceparent']).toBe(`00-${deliver?.traceId}-${deliver?.spanId}-01`);

  // What was said, and that there are canaries at all.
  expect(call.transcript?.map(({ text }) => text).join(' ')).toContain(CANARY);
  const said = (call.transcript ?? []).flatMap(({ text }) => (text === null ? [] : [text]));
  const secrets = [CANARY, KEY, call.callerNumber, call.calleeNumber, '2025550', ...said];
  for (const { body } of collector.requests) for (const secret of secrets) expect(body).not.toContain(secret);
  expect(collector.requests[0]?.headers['x-key']).toBe(KEY);
});
