import { SpanKind, type SpanContext, type Tracer } from '@opentelemetry/api';
import type { CallId } from '@outdial/contracts';
import { failed } from './span-context.ts';

/** The spans of the rows that a group commit is about to write. */
export class CommittingRows {
  readonly #spans = new Map<CallId, SpanContext>();

  spanOf(callId: CallId): SpanContext | undefined {
    return this.#spans.get(callId);
  }

  /** While the work lasts, the statement that writes this call links to the span. */
  async during<Result>(callId: CallId, span: SpanContext, work: () => Promise<Result>): Promise<Result> {
    this.#spans.set(callId, span);
    try {
      return await work();
    } finally {
      if (this.#spans.get(callId) === span) this.#spans.delete(callId);
    }
  }
}

/** One span for each statement that writes a traced row, with links to the spans of those rows. It belongs to no single one. */
export function traceCommits(tracer: Tracer, rows: CommittingRows) {
  return (statement: string, callIds: readonly CallId[]): ((error: unknown) => void) | undefined => {
    const links = callIds.flatMap((callId) => {
      const context = rows.spanOf(callId);
      return context ? [{ context }] : [];
    });
    if (links.length === 0) return undefined;
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': statement,
      'db.operation.batch.size': callIds.length,
    };
    const span = tracer.startSpan('postgres.commit', { root: true, kind: SpanKind.CLIENT, links, attributes });
    return (error) => {
      if (error !== undefined) failed(span, error);
      span.end();
    };
  };
}
