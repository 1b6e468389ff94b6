import { ROOT_CONTEXT } from '@opentelemetry/api';
import { RandomIdGenerator, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { parseTraceParent } from '@outdial/kernel';
import { expect, it } from 'vitest';
import { memoryTracer } from '../test/memory-tracer.ts';
import { isWithinRatio } from './ratio.ts';
import { createIdGenerator } from './sampler.ts';
import { contextOf, spanContextOf } from './span-context.ts';

const parent = (flags: '00' | '01') => {
  const read = parseTraceParent(`00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`);
  if (read === null) throw new Error('the traceparent is valid');
  return read;
};

it('samples a span as its trace is, whatever the ratio', () => {
  for (const ratio of [0, 1]) {
    const { traces, spans } = memoryTracer(ratio);
    traces.tracer.startSpan('sampled', {}, contextOf(parent('01'))).end();
    traces.tracer.startSpan('not sampled', {}, contextOf(parent('00'))).end();
    expect(spans().map(({ name }) => name)).toEqual(['sampled']);
  }
});

it('samples a span that begins a trace: it is made only of a trace that was chosen', () => {
  const { traces, spans } = memoryTracer(0.05);
  for (let nth = 0; nth < 100; nth += 1) traces.tracer.startSpan('root', {}, ROOT_CONTEXT).end();
  expect(spans()).toHaveLength(100);
  for (const span of spans()) expect(isWithinRatio(span.spanContext().traceId, 0.05)).toBe(true);
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

it('agrees about every id with the samplers by ratio that clients have', () => {
  const random = new RandomIdGenerator();
  for (const ratio of [0, 0.05, 0.5, 1]) {
    const theirs = new TraceIdRatioBasedSampler(ratio);
    for (let nth = 0; nth < 400; nth += 1) {
      const id = random.generateTraceId();
      const { decision } = theirs.shouldSample(ROOT_CONTEXT, id);
      expect(decision === SamplingDecision.RECORD_AND_SAMPLED).toBe(isWithinRatio(id, ratio));
    }
  }
});
