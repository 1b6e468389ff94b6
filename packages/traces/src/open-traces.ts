import type { Tracer } from '@opentelemetry/api';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { Sampling, TraceSettings } from './settings.ts';

export interface TracesOptions {
  /** Null: nothing is traced, and no SDK is loaded. */
  readonly settings: TraceSettings | null;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The spans of this process, on their way to the collector. */
export interface Traces {
  readonly tracer: Tracer;
  readonly sampling: Sampling;
  /**
   * Decides for a trace that would begin now. Asked before its first span: of those that are not sampled, nothing is made.
   */
  samplesNext(): boolean;
  /** Spans that the collector did not get, since the start. */
  readonly dropped: () => number;
  /** Sends what has ended, within two seconds. Never rejects. */
  close(): Promise<void>;
}

/** A collector that does not answer must not delay the end of a process. */
const FLUSH_WITHIN_MS = 2_000;

export async function openTraces({ settings, version, clock, logger }: TracesOptions): Promise<Traces | null> {
  if (settings === null) return null;
  const { openProvider } = await import('./open-provider.ts');
  let dropped = 0;
  let isFailing = false;

  function onExported(error: Error | null): void {
    if (isFailing === (error !== null)) return;
    isFailing = error !== null;
    if (error === null) logger.warn({ event: 'traces.exported_again' }, 'the collector takes spans again');
    else
      logger.warn(
        { event: 'traces.export_failed', err: error },
        'the collector takes no spans: they are dropped until it does',
      );
  }

  const provider = openProvider({
    settings,
    version,
    onDropped: (spans) => void (dropped += spans),
    onExported,
  });
  return {
    tracer: provider.getTracer('outdial', version),
    sampling: settings.sampling,
    samplesNext: () => Math.random() < settings.sampling.ratio,
    dropped: () => dropped,
    async close() {
      const over = new AbortController();
      const flushed = provider
        .shutdown()
        .catch(() => undefined)
        .finally(() => over.abort());
      await Promise.race([flushed, pause(clock, FLUSH_WITHIN_MS, over.signal)]);
    },
  };
}
