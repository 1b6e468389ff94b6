import { type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { ClaimedCall, OrphanedCall } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { isSampled, tracePositionOf } from '@outdial/kernel';
import { MOST_TRACED, RecentMap } from './recent-map.ts';
import { contextOf } from './span-context.ts';

/** A sampled call that this worker has. */
export interface OpenCall {
  /** In which its spans begin. */
  readonly context: Context;
  /** Of each of its spans. */
  readonly attributes: Attributes;
  readonly isTakenOver: boolean;
  /** What began and is not over. */
  readonly spans: Set<Span>;
  /** The talk with the callee. */
  talk: Span | null;
}

/** The sampled calls of this worker. Those that are not sampled are not here, and cost a look-up. */
export class OpenCalls {
  readonly #tracer: Tracer;
  readonly #calls = new RecentMap<CallId, OpenCall>(MOST_TRACED, endSpans);
  /** Longer than the calls are open: lines about what comes later have it too. */
  readonly #traceIds = new RecentMap<string, string>(MOST_TRACED);

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Null: the call is not sampled. */
  opened(call: ClaimedCall | OrphanedCall, { isTakenOver }: Pick<OpenCall, 'isTakenOver'>): OpenCall | null {
    const { id, accountId, traceParent } = call;
    if (!isSampled(traceParent)) return null;
    this.#traceIds.set(id, tracePositionOf(traceParent).traceId);
    const open = {
      context: contextOf(traceParent),
      attributes: { 'outdial.call.id': id, 'outdial.account.id': accountId },
      isTakenOver,
      spans: new Set<Span>(),
      talk: null,
    };
    this.#calls.set(id, open);
    return open;
  }

  get(callId: CallId): OpenCall | undefined {
    return this.#calls.get(callId);
  }

  /** The call is settled or handed over, or another worker owns it. */
  closed(callId: CallId): void {
    const call = this.#calls.take(callId);
    if (call) endSpans(call);
  }

  /** For log lines. */
  traceIdOf(callId: string): string | undefined {
    return this.#traceIds.get(callId);
  }

  /** A span of the call that ends with it at the latest. */
  begin(
    call: OpenCall,
    name: string,
    options: { readonly startTime?: number; readonly attributes?: Attributes },
  ): Span {
    const { startTime, attributes } = options;
    const span = this.#tracer.startSpan(
      name,
      { attributes: { ...call.attributes, ...attributes }, ...(startTime !== undefined && { startTime }) },
      call.context,
    );
    call.spans.add(span);
    return span;
  }

  end(call: OpenCall, span: Span, endTime?: number): void {
    if (call.spans.delete(span)) span.end(endTime);
  }
}

function endSpans({ spans }: OpenCall): void {
  for (const span of spans) span.end();
  spans.clear();
}
