import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { formatTraceParent, tracePositionOf, type TraceParent } from '@outdial/kernel';

export function spanContextOf(parent: TraceParent): SpanContext {
  const { traceId, spanId, isSampled } = tracePositionOf(parent);
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** Of every trace that is not sampled: there are no spans that its ids could join. */
export const UNSAMPLED = formatTraceParent({
  traceId: 'f'.repeat(32),
  spanId: 'f'.repeat(16),
  isSampled: false,
});

/** In which spans below this one begin. */
export function contextOf(parent: TraceParent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

export function traceParentOf(span: Span): TraceParent {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return formatTraceParent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
}

/** Marks a span as failed. The message of an error is left out: it may quote a number or a key. */
export function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs the work in a span, which ends with it. */
export async function inSpan<Result>(
  span: Span,
  work: () => Promise<Result>,
  note: (result: Result) => void = () => undefined,
): Promise<Result> {
  try {
    const result = await work();
    note(result);
    return result;
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}
