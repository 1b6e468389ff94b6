import type { Span } from '@opentelemetry/api';
import type { ClaimedCall, DriveStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { OpenCalls } from './open-calls.ts';
import type { Traces } from './open-traces.ts';
import { failed, traceParentOf, UNSAMPLED } from './span-context.ts';
import type { CommittingRows } from './trace-commits.ts';

/** Opens and closes the calls of this worker, with the spans of their queue and of their end. Outcomes stay as they are. */
export function traceDriveStore(
  store: DriveStore,
  { traces, calls, rows }: { readonly traces: Traces; readonly calls: OpenCalls; readonly rows: CommittingRows },
): DriveStore {
  /** Begins the trace of a call that has none: one that a campaign or a retry made. Null: it is not sampled. */
  function beginTrace(callId: CallId): Span | null {
    if (!traces.samplesNext()) return null;
    return traces.tracer.startSpan('call.claim', { root: true, attributes: { 'outdial.call.id': callId } });
  }

  /** Another worker owns the call: what follows is its. */
  async function fenced<Outcome extends { readonly kind: string }>(
    callId: CallId,
    writing: Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await writing;
    if (outcome.kind === 'fenced') calls.closed(callId);
    return outcome;
  }

  function claimed(call: ClaimedCall): void {
    const open = calls.opened(call, { isTakenOver: false });
    if (open) calls.end(open, calls.begin(open, 'call.queued', { startTime: call.queuedAtMs }), call.startedAtMs);
  }

  return {
    ...store,
    async claim(input) {
      const span = beginTrace(input.callId);
      const traceParent = span ? traceParentOf(span) : UNSAMPLED;
      const outcome = await store.claim({ ...input, traceParent });
      if (outcome.kind !== 'claimed') return outcome;
      if (outcome.call.traceParent === traceParent) span?.end();
      claimed(outcome.call);
      return outcome;
    },
    reclaim: (input) => fenced(input.callId, store.reclaim(input)),
    saveDialog: (input) => fenced(input.callId, store.saveDialog(input)),
    advance: (input) => fenced(input.callId, store.advance(input)),
    saveAnsweredBy: (input) => fenced(input.callId, store.saveAnsweredBy(input)),
    saveEvent: (input) => fenced(input.callId, store.saveEvent(input)),
    optOut: (input) => fenced(input.callId, store.optOut(input)),
    renewLease: (input) => fenced(input.callId, store.renewLease(input)),
    enlargeHold: (input) => fenced(input.callId, store.enlargeHold(input)),
    async handOver(input) {
      // A draining worker writes nothing more about the call, and ends soon.
      calls.closed(input.callId);
      return store.handOver(input);
    },
    async settle(settlement) {
      const { callId, reason } = settlement;
      const open = calls.get(callId);
      if (!open) return store.settle(settlement);
      const attributes = { ended_reason: reason, ...(open.isTakenOver && { 'outdial.taken_over': true }) };
      const span = calls.begin(open, 'call.settle', { attributes });
      try {
        const outcome = await rows.during(callId, span.spanContext(), () => store.settle(settlement));
        calls.end(open, span);
        calls.closed(callId);
        return outcome;
      } catch (error) {
        // It is tried again.
        failed(span, error);
        calls.end(open, span);
        throw error;
      }
    },
    async takeOver(input) {
      const orphans = await store.takeOver(input);
      for (const orphan of orphans) calls.opened(orphan, { isTakenOver: true });
      return orphans;
    },
  };
}
