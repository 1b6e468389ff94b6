import type { AcceptCallOutcome } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import { ApiError, invalidRequest, serviceUnavailable } from '../../http/api-error.ts';
import { insufficientFunds } from '../../http/insufficient-funds.ts';

type Refusal = Exclude<AcceptCallOutcome, { readonly kind: 'accepted' | 'replayed' | 'not_prepared' }>;
type CapacityRefusal = Extract<Refusal, { readonly kind: 'capacity_exceeded' }>;
type ScheduledRefusal = Extract<Refusal, { readonly kind: 'too_many_scheduled' }>;

type WindowRefusal = Extract<Refusal, { readonly kind: 'outside_calling_window' }>;
type CapRefusal = Extract<Refusal, { readonly kind: 'frequency_capped' }>;
type ProviderRefusal = Extract<Refusal, { readonly kind: 'provider_not_configured' }>;
type PriceRefusal = Extract<Refusal, { readonly kind: 'model_not_priced' }>;

/** Calls take a while to end: an immediate retry would be rejected again. */
const CAPACITY_RETRY_SECONDS = 5;
/** So many calls are not dialed within seconds. */
const SCHEDULED_RETRY_SECONDS = 60;

/** The API error for a call that was not accepted. */
export function refusalOf(refusal: Refusal): ApiError {
  switch (refusal.kind) {
    case 'invalid_request':
      return invalidRequest(refusal.details);
    case 'insufficient_funds':
      return insufficientFunds('The call', refusal);
    case 'capacity_exceeded':
      return capacityExceeded(refusal);
    case 'too_many_scheduled':
      return tooManyScheduled(refusal);
    case 'no_trunk_available':
      return new ApiError({
        code: refusal.kind,
        publicMessage:
          'No trunk takes calls at the moment, so this call could not be dialed. Nothing was stored: retry the request after Retry-After.',
        retryAfterSeconds: refusal.retryAfterSeconds,
      });
    case 'service_unavailable':
      return serviceUnavailable(refusal.cause);
    case 'outcome_unknown':
      return new ApiError({
        code: refusal.kind,
        publicMessage:
          'The service could not determine whether it accepted this call. Retry with the same Idempotency-Key, or read the call in details.call_id.',
        details: { call_id: refusal.callId },
        retryAfterSeconds: 1,
        cause: refusal.cause,
      });
    case 'provider_not_configured':
      return providerNotConfigured(refusal);
    case 'model_not_priced':
      return modelNotPriced(refusal);
    case 'outside_calling_window':
      return outsideCallingWindow(refusal);
    case 'frequency_capped':
      return frequencyCapped(refusal);
    case 'idempotency_in_progress':
      return new ApiError({ code: refusal.kind, ...SIMPLE[refusal.kind], retryAfterSeconds: 1 });
    case 'idempotency_key_reused':
    case 'agent_access_denied':
    case 'from_number_not_allowed':
    case 'no_outbound_number':
    case 'destination_not_allowed':
    case 'suppressed':
      return new ApiError({ code: refusal.kind, ...SIMPLE[refusal.kind] });
    default:
      return unreachable(refusal);
  }
}

function outsideCallingWindow({ kind, opensAtMs, zones }: WindowRefusal): ApiError {
  const opensAt = opensAtMs === null ? null : isoOf(opensAtMs);
  return new ApiError({
    code: kind,
    param: 'to_number',
    publicMessage:
      zones.length === 0
        ? 'The number does not say where the callee is, and your calling policy has hours. Give callee_time_zone.'
        : `Your calling policy, or your operator’s floor, keeps the hours of this callee closed${opensAt === null ? ' for the next 90 days' : ` until ${opensAt}`}. ${
            opensAt === null
              ? 'Change the policy to call.'
              : 'Retry then, or send on_closed: wait, without an expires_at before that.'
          }`,
    details: { opens_at: opensAt, zones },
  });
}

function frequencyCapped({ kind, untilMs }: CapRefusal): ApiError {
  const until = untilMs === null ? null : isoOf(untilMs);
  return new ApiError({
    code: kind,
    param: 'to_number',
    publicMessage: `This number was called as often as your calling policy, or your operator’s floor, allows.${until === null ? '' : ` It may be called again after ${until}: send that time as scheduled_for to place the call then.`}`,
    details: { until },
  });
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Errors whose message is constant, with the field that each is about. */
const SIMPLE = {
  idempotency_in_progress: {
    param: 'Idempotency-Key',
    publicMessage: 'A request with this Idempotency-Key is still in progress. Retry in a moment.',
  },
  idempotency_key_reused: {
    param: 'Idempotency-Key',
    publicMessage:
      'This Idempotency-Key was already used with a different body, or by a call that is deleted. Send the same body, or use a new key.',
  },
  agent_access_denied: {
    param: 'agent_id',
    publicMessage:
      'Your account has no access to this agent. Use the agent_id of an agent that your account owns, or ask for access.',
  },
  from_number_not_allowed: {
    param: 'from_number',
    publicMessage:
      'Your account may not call from this number. Use one of its active numbers that are enabled for outbound calls, or omit from_number.',
  },
  no_outbound_number: {
    param: 'from_number',
    publicMessage: 'Your account has no active number that is enabled for outbound calls. Add one first.',
  },
  destination_not_allowed: {
    param: 'to_number',
    publicMessage:
      'Your account cannot call this destination: to_number has no rate or is blocked. Ask your operator to enable it.',
  },
  suppressed: {
    param: 'to_number',
    publicMessage:
      'to_number is on a do-not-call list, so it is not called. POST /suppressions/check says whether the list is your account’s or the platform’s.',
  },
} as const;

function providerNotConfigured({ provider, path }: ProviderRefusal): ApiError {
  return new ApiError({
    code: 'provider_not_configured',
    param: 'agent_id',
    publicMessage: `The agent uses ${provider} (${path} in its settings), and there is no such credential. Add a credential for ${provider}, or name another one in the settings.`,
    details: { provider, path },
  });
}

function modelNotPriced({ provider, model, currency }: PriceRefusal): ApiError {
  return new ApiError({
    code: 'model_not_priced',
    param: 'agent_id',
    publicMessage: `The agent uses ${model} of ${provider}, which has no rate in ${currency}. Use another model or a credential of your own, or ask your operator for a rate.`,
    details: { provider, model, currency },
  });
}

function capacityExceeded({ scope, limit, inUse }: CapacityRefusal): ApiError {
  const ofAccount = scope === 'account';
  return new ApiError({
    code: 'capacity_exceeded',
    publicMessage: ofAccount
      ? `All ${limit} call slots of your account are in use. Retry when a call has ended, or send on_capacity "queue" to let the call wait.`
      : 'The service is at its capacity. Retry in a moment.',
    // The system's figures would reveal how many calls other accounts place.
    details: ofAccount ? { scope, limit, in_use: inUse } : { scope },
    retryAfterSeconds: CAPACITY_RETRY_SECONDS,
  });
}

function tooManyScheduled({ kind, limit }: ScheduledRefusal): ApiError {
  return new ApiError({
    code: kind,
    publicMessage: `Your account has ${limit} scheduled calls and may have no more. Retry once some were dialed, or end some.`,
    details: { limit },
    retryAfterSeconds: SCHEDULED_RETRY_SECONDS,
  });
}
