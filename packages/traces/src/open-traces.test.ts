import { createServer } from 'node:http';
import { once } from 'node:events';
import { createLogger, systemClock } from '@outdial/kernel';
import { fakeClock, startTraceCollector } from '@outdial/testkit';
import { describe, expect, it } from 'vitest';
import { openTraces } from './open-traces.ts';
import { traceParentOf } from './span-context.ts';

async function open(url: string, clock = systemClock, sampling = { ratio: 1, asksParent: true }) {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const settings = {
    url: `${url}/v1/traces`,
    headers: {},
    serviceName: 'test',
    attributes: { team: 'calls' },
    sampling,
  };
  const traces = await openTraces({ settings, version: '1.2.3', clock, logger });
  if (traces === null) throw new Error('traces are on');
  return { traces, lines };
}

describe('spans on their way to the collector', () => {
  it('reach it in OTLP, the last ones when the process ends', async () => {
    const collector = await startTraceCollector();
    const { traces, lines } = await open(collector.url);
    const span = traces.tracer.startSpan('first', { attributes: { nth: 1 } });
    span.addEvent('happened', { code: 180 });
    span.end();
    await traces.close();
    expect(collector.spans).toMatchObject([
      { service: 'test', name: 'first', events: [{ name: 'happened', attributes: { code: 180 } }] },
    ]);
    expect([traces.dropped(), lines]).toEqual([0, []]);
    await collector.close();
  });

  it('that a collector refuses are counted, and the log says so once', async () => {
    const collector = await startTraceCollector((response) => void response.writeHead(400).end());
    const { traces, lines } = await open(collector.url);
    for (let nth = 0; nth < 700; nth += 1) traces.tracer.startSpan('span').end();
    await traces.close();
    await expect.poll(() => traces.dropped()).toBe(700);
    expect(lines.filter((line) => line.includes('traces.export_failed'))).toHaveLength(1);
    await collector.close();
  });

  it('that wait for a collector which never answers are bounded, and the rest is counted at once', async () => {
    const collector = await startTraceCollector(() => undefined);
    const clock = fakeClock();
    const { traces } = await open(collector.url, clock);
    for (let nth = 0; nth < 5_000; nth += 1) traces.tracer.startSpan('span').end();
    expect(traces.dropped()).toBe(5_000 - 4_096);
    await collector.asked(1);
    const closing = traces.close();
    await clock.advance(2_000);
    await closing;
    await collector.close();
  });

  it('do not reach a port where nothing listens, and nothing rejects', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    server.close();
    await once(server, 'close');
    const clock = fakeClock();
    const { traces } = await open(`http://127.0.0.1:${port}`, clock);
    traces.tracer.startSpan('span').end();
    const closing = traces.close();
    await clock.advance(2_000);
    await expect(closing).resolves.toBeUndefined();
  });

  it('begin for the part of the traces that the ratio names', async () => {
    const collector = await startTraceCollector();
    const { traces } = await open(collector.url, systemClock, { ratio: 0.25, asksParent: true });
    const sampled = Array.from({ length: 10_000 }, () => traces.samplesNext()).filter(Boolean);
    expect(sampled.length).toBeGreaterThan(2_200);
    expect(sampled.length).toBeLessThan(2_800);
    // Each of them is recorded: its id is one that the sampler takes.
    const begun = Array.from({ length: 200 }, () => traces.tracer.startSpan('span', { root: true }));
    expect(begun.filter((span) => !traceParentOf(span).endsWith('-01'))).toEqual([]);
    for (const span of begun) span.end();
    await traces.close();
    expect(collector.spans).toHaveLength(200);
    await collector.close();
  });

  it('are none without an endpoint', async () => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    expect(await openTraces({ settings: null, version: '1', clock: systemClock, logger })).toBeNull();
  });
});
