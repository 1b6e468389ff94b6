import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api';
import type { AcceptRow, AcceptStore, CallQueue, Gate, ScheduleRow } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { isSampled, tracePositionOf, type Clock, type TraceParent } from '@outdial/kernel';
import { createClientParents } from './client-parents.ts';
import type { Traces } from './open-traces.ts';
import { MOST_TRACED, RecentMap } from './recent-map.ts';
import { contextOf, inSpan, traceParentOf, UNSAMPLED } from './span-context.ts';
import { CommittingRows, traceCommits } from './trace-commits.ts';

/** A request that creates a call, and its span. */
export interface RequestTrace {
  /** For what the request asks of the stores, and for the row of its call. */
  readonly traceParent: TraceParent;
  /** For log lines. Empty unless the trace is sampled: it would lead to nothing. */
  readonly logFields: { readonly trace_id?: string };
  /** Ends the span. */
  answered(answer: { readonly status: number; readonly outcome: string; readonly callId?: string }): void;
}

export interface RequestTraces {
  /** @param traceParent the header of the request */
  begin(request: { readonly traceParent: string | undefined; readonly accountId: AccountId }): RequestTrace;
  readonly admission: AdmissionTraces;
}

/** Spans around what admission asks of the stores, for requests that are sampled. */
export interface AdmissionTraces {
  gate(gate: Gate): Gate;
  store(store: AcceptStore): AcceptStore;
  queue(queue: Pick<CallQueue, 'add'>): Pick<CallQueue, 'add'>;
  readonly observeCommit: ReturnType<typeof traceCommits>;
}

const ROUTE = { 'http.request.method': 'POST', 'http.route': '/api/v1/outbound/calls' } as const;

/** Most requests have this one: it must cost nothing. */
const UNSAMPLED_REQUEST: RequestTrace = { traceParent: UNSAMPLED, logFields: {}, answered: () => undefined };

export function createRequestTraces(traces: Traces, clock: Clock): RequestTraces {
  const { tracer, sampling } = traces;
  const parentFor = createClientParents(clock, sampling);
  return {
    begin({ traceParent, accountId }) {
      const parent = parentFor(traceParent, accountId);
      if (parent === null && !traces.samplesNext()) return UNSAMPLED_REQUEST;
      const attributes = { ...ROUTE, 'outdial.account.id': accountId };
      const context = parent === null ? ROOT_CONTEXT : contextOf(parent);
      return requestTrace(tracer.startSpan('POST /outbound/calls', { kind: SpanKind.SERVER, attributes }, context));
    },
    admission: traceAdmission(tracer),
  };
}

function requestTrace(span: Span): RequestTrace {
  const traceParent = traceParentOf(span);
  return {
    traceParent,
    logFields: isSampled(traceParent) ? { trace_id: tracePositionOf(traceParent).traceId } : {},
    answered({ status, outcome, callId }) {
      span.setAttributes({ 'http.response.status_code': status, 'outdial.outcome': outcome });
      if (callId !== undefined) span.setAttribute('outdial.call.id', callId);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function traceAdmission(tracer: Tracer): AdmissionTraces {
  const rows = new CommittingRows();
  /** Calls that are accepted and not in the queue yet. */
  const accepted = new RecentMap<CallId, TraceParent>(MOST_TRACED);

  const begin = (name: string, parent: TraceParent, callId: CallId) =>
    tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { 'outdial.call.id': callId } }, contextOf(parent));

  function store<Row extends AcceptRow | ScheduleRow, Outcome extends { readonly kind: string }>(
    row: Row,
    write: (row: Row) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { traceParent, callId } = row;
    if (!isSampled(traceParent)) return write(row);
    const span = begin('calls.accept', traceParent, callId);
    const writing = () => rows.during(callId, span.spanContext(), () => write(row));
    return inSpan(span, writing, ({ kind }) => {
      span.setAttribute('outdial.outcome', kind);
      if (kind === 'accepted') accepted.set(callId, traceParent);
    });
  }

  return {
    gate: (gate) => ({
      ...gate,
      reserve(input) {
        const { traceParent, callId } = input;
        if (!isSampled(traceParent)) return gate.reserve(input);
        const span = begin('gate.reserve', traceParent, callId);
        return inSpan(
          span,
          () => gate.reserve(input),
          ({ kind }) => span.setAttribute('outdial.outcome', kind),
        );
      },
    }),
    store: (given) => ({
      ...given,
      accept: (row) => store(row, (accepting) => given.accept(accepting)),
      schedule: (row) => store(row, (scheduling) => given.schedule(scheduling)),
    }),
    queue: (queue) => ({
      add(callIds) {
        const [callId] = callIds;
        const parent = callId === undefined ? undefined : accepted.take(callId);
        if (callId === undefined || parent === undefined) return queue.add(callIds);
        return inSpan(begin('queue.add', parent, callId), () => queue.add(callIds));
      },
    }),
    observeCommit: traceCommits(tracer, rows),
  };
}
