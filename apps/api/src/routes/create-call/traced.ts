import type { CallBody } from '@outdial/contracts';
import type { RequestTrace, RequestTraces } from '@outdial/traces';
import { ApiError } from '../../http/api-error.ts';
import { statusOf } from '../../http/error-response.ts';
import { lenientHeaderOf } from '../../http/header.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import type { ReplyHeaders } from '../../http/reply.ts';

interface TracedInput {
  readonly principal: AccountPrincipal;
  readonly rawHeaders: readonly string[];
}

interface TracedReply {
  readonly status: number;
  readonly headers?: ReplyHeaders | undefined;
  readonly body: { readonly call: Pick<CallBody, 'id'> };
}

/** Answers in a span of the request, which says how it was answered. Null: nothing is traced. */
export async function traced<Reply extends TracedReply>(
  traces: Pick<RequestTraces, 'begin'> | null,
  { principal, rawHeaders }: TracedInput,
  answer: (trace: RequestTrace | null) => Promise<Reply>,
): Promise<Reply> {
  if (traces === null) return answer(null);
  const traceParent = lenientHeaderOf(rawHeaders, 'traceparent') ?? undefined;
  const trace = traces.begin({ traceParent, accountId: principal.account.id });
  try {
    const reply = await answer(trace);
    const { status, headers, body } = reply;
    const outcome = headers?.['Idempotency-Replayed'] === undefined ? 'accepted' : 'replayed';
    trace.answered({ status, outcome, callId: body.call.id });
    return reply;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal_error';
    trace.answered({ status: statusOf(code), outcome: code });
    throw error;
  }
}
