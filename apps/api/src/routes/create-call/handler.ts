import type { AcceptCallOutcome, AcceptCallRequest, Call } from '@outdial/calls';
import type { Logger } from '@outdial/kernel';
import { presentCall, timestampOrNull } from '@outdial/presentation';
import type { CreateCallBody } from '@outdial/contracts';
import type { RequestTrace, RequestTraces } from '@outdial/traces';
import { traced } from './traced.ts';
import type { RouteRequest } from '../../http/route-request.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ApiError } from '../../http/api-error.ts';
import { idempotencyKeyIn } from '../../http/idempotency-key.ts';
import { basePathOf, type AccountPrincipal } from '../../http/principal.ts';
import type { ReplyHeaders } from '../../http/reply.ts';
import { createCallContract } from './contract.ts';
import { refusalOf } from './refusal.ts';
import { checkWebhookUrl } from '../webhooks/check-webhook-url.ts';
import type { EnsurePerCallEndpoint } from '../webhooks/per-call-endpoints.ts';
import type { WebhookDeps } from '../webhooks/webhook-deps.ts';

export interface CreateCallDeps extends Pick<WebhookDeps, 'egress'> {
  readonly traces: Pick<RequestTraces, 'begin'> | null;
  readonly acceptCall: (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;
  readonly ensurePerCallEndpoint: EnsurePerCallEndpoint;
  readonly logger: Logger;
}

export function createCallRoute(deps: CreateCallDeps): AccountRoute {
  const { acceptCall, logger } = deps;
  return defineRoute(createCallContract, (input) => traced(deps.traces, input, (trace) => place(input, trace)), {
    keepsDeadline: true,
  });

  async function place({ principal, body, rawHeaders, requestId, deadlineMs }: PlaceInput, trace: RequestTrace | null) {
    const { account } = principal;
    const idempotencyKey = idempotencyKeyIn(rawHeaders);
    const traceParent = trace?.traceParent;
    const request = { account, body, idempotencyKey, requestId, traceParent, deadlineMs };
    const { webhook_url: webhookUrl } = body;
    const outcome = await acceptCall(
      webhookUrl === undefined
        ? request
        : { ...request, prepare: (byMs) => prepareWebhooks(deps, principal, webhookUrl, byMs) },
    );
    const facts = { requestId, accountId: account.id, toNumber: body.to_number, ...trace?.logFields };
    if (outcome.kind === 'accepted' || outcome.kind === 'replayed') {
      const { call } = outcome;
      const event = outcome.kind === 'accepted' ? 'call.accepted' : 'call.replayed';
      logger.info({ event, ...facts, callId: call.id, ...scheduleFacts(call) }, `call ${outcome.kind}`);
      return created(call, basePathOf(principal), outcome.kind === 'replayed');
    }
    logger.info({ event: 'call.rejected', ...facts, reason: outcome.kind }, 'call rejected');
    throw outcome.kind === 'not_prepared' ? outcome.error : refusalOf(outcome);
  }
}

type PlaceInput = RouteRequest<AccountPrincipal, unknown, unknown, CreateCallBody>;

/** Resolves with the refusal if nothing could be sent to this URL. @throws DeadlineExceeded */
async function prepareWebhooks(
  deps: CreateCallDeps,
  principal: AccountPrincipal,
  url: string,
  byMs: number,
): Promise<ApiError | null> {
  try {
    checkWebhookUrl(deps, 'webhook_url', url);
    await deps.ensurePerCallEndpoint(principal, byMs);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** In the log line of a call that waits. */
function scheduleFacts(call: Call) {
  if (call.status !== 'scheduled') return {};
  const { scheduledForMs } = call.schedule;
  return { scheduledFor: timestampOrNull(scheduledForMs), waitingFor: call.waitingFor };
}

function created(call: Call, basePath: string, isReplayed: boolean) {
  const headers: ReplyHeaders = {
    Location: `${basePath}/outbound/calls/${call.id}`,
    ...(isReplayed ? { 'Idempotency-Replayed': 'true' } : {}),
  };
  return { status: 201, headers, body: { call: presentCall(call) } } as const;
}
