import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { createIdGenerator, SAMPLER } from '../src/sampler.ts';

/** Real spans, kept in memory. */
export function memoryTracer(ratio = 1, idGenerator = createIdGenerator(ratio)) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    sampler: SAMPLER,
    idGenerator,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  return {
    traces: {
      tracer: provider.getTracer('test'),
      sampling: { ratio, asksParent: true },
      samplesNext: () => ratio === 1,
      dropped: () => 0,
      close: async () => undefined,
    },
    spans: (name?: string): readonly ReadableSpan[] =>
      exporter.getFinishedSpans().filter((span) => name === undefined || span.name === name),
  };
}
