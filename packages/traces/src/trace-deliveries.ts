import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { isSampled } from '@outdial/kernel';
import type { DeliveryTraces } from '@outdial/webhooks';
import { spanContextOf, traceParentOf } from './span-context.ts';

/** A span for each attempt to send a webhook of a sampled call, which it links to. The receiver may go on from it. */
export function traceDeliveries(tracer: Tracer): DeliveryTraces {
  return {
    begin({ traceParent, callId, accountId, type, attempt }) {
      if (!isSampled(traceParent)) return null;
      const span = tracer.startSpan('webhook.deliver', {
        root: true,
        kind: SpanKind.PRODUCER,
        links: [{ context: spanContextOf(traceParent) }],
        attributes: {
          ...(callId !== null && { 'outdial.call.id': callId }),
          'outdial.account.id': accountId,
          'outdial.webhook.type': type,
          'outdial.webhook.attempt': attempt,
        },
      });
      return {
        headers: { traceparent: traceParentOf(span) },
        ended({ status, error, verdict }) {
          span.setAttribute('outdial.outcome', verdict.kind);
          if (status !== null) span.setAttribute('http.response.status_code', status);
          if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}
