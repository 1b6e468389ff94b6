import { randomUUID } from 'node:crypto';
import type { RecordedCalls, RecordingOutbox } from '@outdial/calls';
import { accountIdSchema, callIdSchema } from '@outdial/contracts';
import { parseTraceParent } from '@outdial/kernel';
import { expect, it } from 'vitest';
import { memoryTracer } from '../test/memory-tracer.ts';
import { RecentMap } from './recent-map.ts';
import { traceDeliveries } from './trace-deliveries.ts';
import { traceUploads } from './trace-uploads.ts';

const SAMPLED = parseTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
const UNSAMPLED = parseTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00');
const LINK = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

it('an attempt to send a webhook is a trace that links to its call, and the receiver can go on from it', () => {
  const { traces, spans } = memoryTracer(0);
  const deliveries = traceDeliveries(traces.tracer);
  const ids = { callId: callIdSchema.parse(randomUUID()), accountId: accountIdSchema.parse(randomUUID()) };
  const delivery = { ...ids, type: 'call.ended', attempt: 2 } as const;
  const attempt = deliveries.begin({ ...delivery, traceParent: SAMPLED });
  attempt?.ended({ status: 500, error: 'status', verdict: { kind: 'retry', dueInMs: 1, laneDelayMs: 0 } });
  const [span] = spans('webhook.deliver');
  const { traceId, spanId } = span?.spanContext() ?? {};
  expect(attempt?.headers).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  expect(traceId).not.toBe(LINK.traceId);
  expect(span?.links.map(({ context }) => context)).toMatchObject([LINK]);
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 500, 'outdial.outcome': 'retry' });
  for (const traceParent of [UNSAMPLED, null]) expect(deliveries.begin({ ...delivery, traceParent })).toBeNull();
});

it('the upload of a recording is a trace that links to its call', async () => {
  const { traces, spans } = memoryTracer(0);
  const [sampled, unsampled] = [callIdSchema.parse(randomUUID()), callIdSchema.parse(randomUUID())];
  const recordedCalls: RecordedCalls = {
    ended: async () => [
      { callId: sampled, isRecorded: true, traceParent: SAMPLED },
      { callId: unsampled, isRecorded: true, traceParent: UNSAMPLED },
    ],
    markStored: async () => undefined,
    markMissing: async () => undefined,
    expire: async () => [],
  };
  const outbox: RecordingOutbox = {
    async *list() {
      yield [];
    },
    upload: async () => 'stored',
    discard: async () => undefined,
  };
  const traced = traceUploads({ outbox, recordedCalls }, traces.tracer);
  await traced.recordedCalls.ended({ callIds: [], workerId: 'w', othersAfterMs: 0 });
  for (const callId of [sampled, unsampled]) await traced.outbox.upload(callId, new AbortController().signal);
  const [upload, ...more] = spans('recording.upload');
  expect(more).toEqual([]);
  expect(upload?.links.map(({ context }) => context)).toMatchObject([LINK]);
  expect(upload?.attributes).toEqual({ 'outdial.call.id': sampled, 'outdial.outcome': 'stored' });
});

it('what a process keeps of calls is bounded: the oldest goes first', () => {
  const evicted: number[] = [];
  const recent = new RecentMap<string, number>(2, (value) => void evicted.push(value));
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('a', 3);
  recent.set('c', 4);
  expect([recent.get('a'), recent.get('b'), recent.get('c'), evicted]).toEqual([3, undefined, 4, [2]]);
});
