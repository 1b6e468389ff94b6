import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { RecordedCalls, RecordingOutbox } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { isSampled, type TraceParent } from '@outdial/kernel';
import { MOST_TRACED, RecentMap } from './recent-map.ts';
import { inSpan, spanContextOf } from './span-context.ts';

/** A span for the upload of each recording of a sampled call, which it links to: it comes after the call, or much later. */
export function traceUploads(
  { outbox, recordedCalls }: { readonly outbox: RecordingOutbox; readonly recordedCalls: RecordedCalls },
  tracer: Tracer,
): { readonly outbox: RecordingOutbox; readonly recordedCalls: RecordedCalls } {
  const sampled = new RecentMap<CallId, TraceParent>(MOST_TRACED);
  return {
    recordedCalls: {
      ...recordedCalls,
      async ended(input) {
        const recordings = await recordedCalls.ended(input);
        for (const { callId, traceParent } of recordings) if (isSampled(traceParent)) sampled.set(callId, traceParent);
        return recordings;
      },
    },
    outbox: {
      list: () => outbox.list(),
      discard: (callId) => outbox.discard(callId),
      upload(callId, aborted) {
        const parent = sampled.take(callId);
        if (parent === undefined) return outbox.upload(callId, aborted);
        const links = [{ context: spanContextOf(parent) }];
        const attributes = { 'outdial.call.id': callId };
        const span = tracer.startSpan('recording.upload', { root: true, kind: SpanKind.CLIENT, links, attributes });
        const uploading = () => outbox.upload(callId, aborted);
        return inSpan(span, uploading, (outcome) => span.setAttribute('outdial.outcome', outcome));
      },
    },
  };
}
