import { startTraceCollector, type CollectedSpan, type TraceCollector } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const ROOT = 'POST /outbound/calls';

let collector: TraceCollector;
let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  collector = await startTraceCollector();
  api = await openApi({
    traces: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    },
  });
  account = await api.account({ capacity: 100 });
});
afterAll(async () => {
  await api.close();
  await collector.close();
});

const create = (headers: Record<string, string> = {}, fields: object = {}) =>
  api.request('POST', '/outbound/calls', { key: account.key, json: { ...account.newCall, ...fields }, headers });

const rootOf = (callId: string) =>
  collector.until(({ name, attributes }) => name === ROOT && attributes['outdial.call.id'] === callId);

async function traceParentOf(callId: string): Promise<string | null | undefined> {
  const [row] = await api.database.side.$queryRaw<{ traceParent: string | null }[]>`
    SELECT trace_parent AS "traceParent" FROM calls WHERE id = ${callId}::uuid`;
  return row?.traceParent;
}

describe('a traced request', () => {
  test('has a span for each question to a store, and its call keeps where its trace goes on', async () => {
    const call = (await create()).call();
    const root = await rootOf(call.id);
    expect(root).toMatchObject({
      service: 'outdial-api',
      parentSpanId: '',
      status: 0,
      attributes: {
        'http.route': '/api/v1/outbound/calls',
        'outdial.account.id': account.id,
        'outdial.outcome': 'accepted',
      },
    });
    expect(await traceParentOf(call.id)).toBe(`00-${root.traceId}-${root.spanId}-01`);
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
    // A gate that does not know the account yet is asked twice.
    expect([...new Set(children.map(({ name }) => name))].toSorted()).toEqual([
      'calls.accept',
      'gate.reserve',
      'queue.add',
    ]);
    const accept = children.find(({ name }) => name === 'calls.accept');
    const isCommit = ({ name, links }: CollectedSpan) =>
      name === 'postgres.commit' && links.some(({ spanId }) => spanId === accept?.spanId);
    expect(collector.spans.find(isCommit)).toMatchObject({
      parentSpanId: '',
      attributes: { 'db.operation.name': 'accept_calls' },
    });
    expect(collector.requests.every(({ headers }) => headers.authorization === 'Bearer collector')).toBe(true);
    const line = api.logLines.find((text) => text.includes('call.accepted') && text.includes(call.id)) ?? '';
    expect(JSON.parse(line)).toMatchObject({ trace_id: root.traceId });
  });

  test('for later has no reservation, and its call keeps the trace too', async () => {
    const later = { scheduled_for: new Date(Date.now() + 3_600_000).toISOString() };
    const call = (await create({}, later)).call();
    const root = await rootOf(call.id);
    expect(await traceParentOf(call.id)).toBe(`00-${root.traceId}-${root.spanId}-01`);
    const names = collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId).map(({ name }) => name);
    expect(names).toEqual(['calls.accept']);
  });

  test('goes on with a sampled trace of the client, and with no other', async () => {
    const sampled = await rootOf((await create({ traceparent: `00-${TRACE}-${SPAN}-01` })).call().id);
    expect(sampled).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
    const others = [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${'0'.repeat(16)}-01`, 'nonsense'];
    const roots = others.map(async (traceparent) => rootOf((await create({ traceparent })).call().id));
    for (const own of await Promise.all(roots)) {
      expect(own.parentSpanId).toBe('');
      expect(own.traceId).not.toBe(TRACE);
    }
  });

  test('that is rejected says so in its span and its log line', async () => {
    expect((await create({ 'x-request-id': 'rejected-1' }, { to_number: '+442071838750' })).status).toBe(403);
    const root = await collector.until(({ attributes }) => attributes['outdial.outcome'] === 'destination_not_allowed');
    expect(root).toMatchObject({ name: ROOT, status: 0, attributes: { 'http.response.status_code': 403 } });
    const line = api.logLines.find((text) => text.includes('call.rejected') && text.includes('rejected-1')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ trace_id: root.traceId });
  });
});

test('a collector that never answers delays no request, and the end of the process by no more than two seconds', async () => {
  const hanging = await startTraceCollector(() => undefined);
  const other = await openApi({
    stores: api.stores,
    traces: { OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url, OTEL_TRACES_SAMPLER: 'always_on' },
  });
  const request = { key: account.key, json: account.newCall } as const;
  for (let calls = 0; calls < 5; calls += 1)
    expect((await other.request('POST', '/outbound/calls', request)).status).toBe(201);
  await hanging.asked(1);
  for (let calls = 0; calls < 5; calls += 1)
    expect((await other.request('POST', '/outbound/calls', { ...request, once: true })).status).not.toBe(500);
  const endedAtMs = performance.now();
  await other.close();
  // Its stores close in that time as well.
  expect(performance.now() - endedAtMs).toBeLessThan(4_500);
  await hanging.close();
});

test('a request that is not sampled has no span, and no worker samples its call', async () => {
  const quiet = await startTraceCollector();
  const other = await openApi({
    stores: api.stores,
    traces: { OTEL_EXPORTER_OTLP_ENDPOINT: quiet.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  });
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
  const [own, continued] = [
    (await other.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call(),
    (await other.request('POST', '/outbound/calls', { key: account.key, json: account.newCall, headers })).call(),
  ];
  for (const { id } of [own, continued]) expect(await traceParentOf(id)).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  await other.close();
  expect(quiet.spans).toEqual([]);
  expect(other.logLines.some((line) => line.includes('call.accepted'))).toBe(true);
  expect(other.logLines.filter((line) => line.includes('trace_id'))).toEqual([]);
  await quiet.close();
});

test('without a collector nothing is traced, and a traceparent is not stored', async () => {
  const other = await openApi({ stores: api.stores });
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
  const request = { key: account.key, json: account.newCall, headers } as const;
  const call = (await other.request('POST', '/outbound/calls', request)).call();
  expect(await traceParentOf(call.id)).toBeNull();
  await other.close();
});
