import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';

export interface BoundedExportOptions {
  /** Spans that have ended and that no collector has taken yet. */
  readonly mostSpans: number;
  readonly exporter: SpanExporter;
  /** Gathers spans and passes them to the exporter that it is given. It must take `mostSpans`. */
  readonly processor: (exporter: SpanExporter) => SpanProcessor;
  readonly onDropped: (spans: number) => void;
  readonly onExported: (error: Error | null) => void;
}

/** Bounds the spans that wait for the collector, and counts every span that it did not get. Nothing waits for it. */
export function createBoundedExport(options: BoundedExportOptions): SpanProcessor {
  const { exporter, mostSpans, onDropped, onExported } = options;
  let waiting = 0;

  function over(spans: number, { code, error }: ExportResult): void {
    waiting -= spans;
    if (code === ExportResultCode.SUCCESS) return onExported(null);
    onDropped(spans);
    onExported(error ?? new Error('the collector did not take the spans'));
  }

  const counting: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        over(spans.length, result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
  const processor = options.processor(counting);
  return {
    onStart: (span, context) => processor.onStart(span, context),
    onEnd(span: ReadableSpan) {
      if (waiting >= mostSpans) return onDropped(1);
      waiting += 1;
      processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}
