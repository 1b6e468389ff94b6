/** Who or what caused the call to end as it did. */
export type EndedFault = 'none' | 'callee' | 'carrier' | 'provider' | 'platform' | 'account';

export interface EndedReasonFacts {
  /** Placing the same call again may have another outcome. */
  readonly retryable: boolean;
  /** An answered call that ends this way is charged. An unanswered call costs nothing, whatever the reason. */
  readonly billable: boolean;
  readonly fault: EndedFault;
}

/** The closed list of reasons. Every ended call has exactly one. */
export const ENDED_REASONS = {
  callee_hangup: { retryable: false, billable: true, fault: 'none' },
  agent_hangup: { retryable: false, billable: true, fault: 'none' },
  transferred: { retryable: false, billable: true, fault: 'none' },
  max_duration_reached: { retryable: false, billable: true, fault: 'none' },
  silence_timeout: { retryable: true, billable: true, fault: 'callee' },
  voicemail_reached: { retryable: true, billable: true, fault: 'none' },
  call_screened: { retryable: true, billable: true, fault: 'callee' },
  funds_exhausted: { retryable: false, billable: true, fault: 'account' },
  cancelled: { retryable: false, billable: false, fault: 'none' },
  hung_up_by_api: { retryable: false, billable: true, fault: 'none' },
  busy: { retryable: true, billable: false, fault: 'callee' },
  no_answer: { retryable: true, billable: false, fault: 'callee' },
  declined: { retryable: false, billable: false, fault: 'callee' },
  invalid_destination: { retryable: false, billable: false, fault: 'account' },
  carrier_rejected: { retryable: false, billable: false, fault: 'carrier' },
  carrier_unavailable: { retryable: true, billable: false, fault: 'carrier' },
  connection_lost: { retryable: false, billable: true, fault: 'carrier' },
  queue_expired: { retryable: true, billable: false, fault: 'platform' },
  schedule_expired: { retryable: true, billable: false, fault: 'none' },
  not_permitted: { retryable: false, billable: false, fault: 'account' },
  suppressed: { retryable: false, billable: false, fault: 'account' },
  outside_calling_window: { retryable: true, billable: false, fault: 'account' },
  frequency_capped: { retryable: true, billable: false, fault: 'account' },
  opted_out: { retryable: false, billable: true, fault: 'none' },
  agent_error: { retryable: true, billable: true, fault: 'platform' },
  provider_unavailable: { retryable: true, billable: true, fault: 'provider' },
  provider_rejected: { retryable: false, billable: true, fault: 'account' },
  no_audio: { retryable: true, billable: true, fault: 'carrier' },
  worker_lost: { retryable: true, billable: true, fault: 'platform' },
  reconciled_unknown: { retryable: true, billable: false, fault: 'platform' },
} as const satisfies Record<string, EndedReasonFacts>;

export type EndedReason = keyof typeof ENDED_REASONS;

function isEndedReason(text: string): text is EndedReason {
  return Object.hasOwn(ENDED_REASONS, text);
}

export const endedReasons: readonly EndedReason[] = Object.keys(ENDED_REASONS).filter(isEndedReason);
