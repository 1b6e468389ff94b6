import { ROOT_CONTEXT } from '@opentelemetry/api';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import { parseTraceParent } from '@outdial/kernel';
import { expect, it } from 'vitest';
import { memoryTracer } from '../test/memory-tracer.ts';
import { isWithinRatio } from './ratio.ts';
import { createIdGenerator, createSampler } from './sampler.ts';
import { contextOf, spanContextOf, traceParentOf } from './span-context.ts';

const parent = (flags: '00' | '01') => {
  const read = parseTraceParent(`00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`);
  if (read === null) throw new Error('the traceparent is valid');
  return read;
};

it('samples a span as its trace is, whatever the ratio', () => {
  const never = memoryTracer(0);
  never.traces.tracer.startSpan('sampled', {}, contextOf(parent('01'))).end();
  never.traces.tracer.startSpan('root', {}, ROOT_CONTEXT).end();
  expect(never.spans().map(({ name }) => name)).toEqual(['sampled']);
  const always = memoryTracer(1);
  always.traces.tracer.startSpan('not sampled', {}, contextOf(parent('00'))).end();
  expect(always.spans()).toEqual([]);
});

it('samples a trace that begins with a link to a sampled span, and no other by its links', () => {
  const { traces, spans } = memoryTracer(0);
  for (const flags of ['00', '01'] as const) {
    const links = [{ context: spanContextOf(parent(flags)) }];
    traces.tracer.startSpan(`linked ${flags}`, { root: true, links }).end();
  }
  expect(spans().map(({ name }) => name)).toEqual(['linked 01']);
});

it('a trace that begins here has a new id, which every sampler with the same ratio samples', () => {
  for (const ratio of [0.000_001, 0.05, 0.5, 1]) {
    const ids = createIdGenerator(ratio);
    const made = Array.from({ length: 400 }, () => ids.generateTraceId());
    expect(new Set(made).size).toBe(400);
    for (const id of made) {
      expect(id).toMatch(/^[\da-f]{32}$/);
      expect(isWithinRatio(id, ratio)).toBe(true);
    }
  }
});

it('agrees with the ratio that clients are judged by, for every id', () => {
  for (const ratio of [0, 0.05, 0.5, 1]) {
    // The ids of other programs are of every kind.
    const { traces, spans } = memoryTracer(ratio, new RandomIdGenerator());
    const sampled = new Set<string>();
    let within = 0;
    for (let nth = 0; nth < 400; nth += 1) {
      const span = traces.tracer.startSpan('root', { root: true });
      span.end();
      const { traceId } = span.spanContext();
      if (isWithinRatio(traceId, ratio)) within += 1;
      if (traceParentOf(span).endsWith('01')) sampled.add(traceId);
      expect(sampled.has(traceId)).toBe(isWithinRatio(traceId, ratio));
    }
    expect(spans()).toHaveLength(within);
  }
  expect(createSampler(0.05).toString()).toContain('0.05');
});
