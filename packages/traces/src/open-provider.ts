import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createBoundedExport, type BoundedExportOptions } from './bounded-export.ts';
import { createIdGenerator, SAMPLER } from './sampler.ts';
import type { TraceSettings } from './settings.ts';

export interface ProviderOptions extends Pick<BoundedExportOptions, 'onDropped' | 'onExported'> {
  readonly settings: TraceSettings;
  /** Of this program. */
  readonly version: string;
}

/** About 8 MB. */
const MOST_SPANS = 4_096;
const BATCH_SPANS = 512;
const EVERY_MS = 1_000;
/** A collector that does not answer costs the spans that wait for it. */
const EXPORT_TIMEOUT_MS = 5_000;

/** Imported only where traces are on: with it come the SDK and the exporter. */
export function openProvider({ settings, version, onDropped, onExported }: ProviderOptions): TracerProvider {
  const { url, headers, serviceName, attributes, sampling } = settings;
  const processor = createBoundedExport({
    mostSpans: MOST_SPANS,
    exporter: new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS }),
    processor: (exporter) =>
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS + 1_000,
      }),
    onDropped,
    onExported,
  });
  const service = resourceFromAttributes({ ...attributes, 'service.name': serviceName, 'service.version': version });
  return new TracerProvider({
    sampler: SAMPLER,
    idGenerator: createIdGenerator(sampling.ratio),
    resource: defaultResource().merge(service),
    spanProcessors: [processor],
  });
}
