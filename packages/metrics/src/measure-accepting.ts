import type { AcceptCallOutcome, AcceptCallRequest, EndStore } from '@outdial/calls';
import type { EndedReason } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { POLICY_REFUSALS, type AcceptedAs, type PolicyRefusal } from './catalogue.ts';
import type { CountBy, ObserveBy } from './instruments.ts';

type AcceptCall = (request: AcceptCallRequest) => Promise<AcceptCallOutcome>;

export interface AcceptMeters {
  readonly accepting: ObserveBy<AcceptedAs>;
  readonly policyRefusals: CountBy<PolicyRefusal>;
}

/** Measures each request by its outcome; a thrown error counts as failed. */
export function measureAccepting(
  acceptCall: AcceptCall,
  { accepting: observe, policyRefusals }: AcceptMeters,
  clock: Clock,
): AcceptCall {
  return async (request) => {
    const startedMs = clock.monotonicMs();
    let outcome: AcceptedAs = 'failed';
    try {
      const answer = await acceptCall(request);
      outcome = ACCEPTED_AS[answer.kind];
      const refusal = POLICY_REFUSALS.find((reason) => reason === answer.kind);
      if (refusal) policyRefusals(refusal);
      return answer;
    } finally {
      observe(outcome, (clock.monotonicMs() - startedMs) / 1_000, request.traceParent);
    }
  };
}

const ACCEPTED_AS: Readonly<Record<AcceptCallOutcome['kind'], AcceptedAs>> = {
  accepted: 'accepted',
  replayed: 'replayed',
  idempotency_key_reused: 'refused',
  idempotency_in_progress: 'refused',
  invalid_request: 'refused',
  not_prepared: 'refused',
  agent_access_denied: 'refused',
  provider_not_configured: 'refused',
  model_not_priced: 'refused',
  from_number_not_allowed: 'refused',
  no_outbound_number: 'refused',
  destination_not_allowed: 'refused',
  suppressed: 'refused',
  outside_calling_window: 'refused',
  frequency_capped: 'refused',
  insufficient_funds: 'refused',
  capacity_exceeded: 'refused',
  too_many_scheduled: 'refused',
  no_trunk_available: 'failed',
  service_unavailable: 'failed',
  outcome_unknown: 'failed',
};

/** A call that is ended while it is queued is counted only here. */
export function measureEndStore(store: EndStore, ended: CountBy<EndedReason>): EndStore {
  return {
    async requestEnd(input) {
      const outcome = await store.requestEnd(input);
      if (outcome.kind === 'cancelled') ended('cancelled');
      return outcome;
    },
  };
}
