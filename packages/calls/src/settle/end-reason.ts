import type { AnsweredBy, EndedReason } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { LegEnd, LegOutcome } from '../ports/carrier.ts';
import type { AgentHangUp } from '../ports/voice-agent.ts';

/** Why we hung up. */
export type HangUpCause =
  | AgentHangUp
  /** The far end has connected the callee with the destination of a transfer. */
  | 'transferred'
  | 'end_requested'
  | 'max_duration'
  | 'funds_exhausted'
  | 'ring_timeout'
  /** The call's time in the queue ended while dialing was paused. */
  | 'queue_expired'
  /** The number was put on a do-not-call list before anything was sent for the attempt. */
  | 'suppressed'
  /** The calling policy closed the callee's hours, or capped its number, before anything was sent for the attempt. */
  | 'outside_calling_window'
  | 'frequency_capped'
  /** The lease could not be renewed: another worker may own the call soon. */
  | 'lease_lost'
  /** The process ends and can wait no longer. */
  | 'shutdown';

const REASON_OF_CAUSE: Readonly<Record<HangUpCause, EndedReason>> = {
  agent_hangup: 'agent_hangup',
  voicemail_reached: 'voicemail_reached',
  call_screened: 'call_screened',
  silence_timeout: 'silence_timeout',
  opted_out: 'opted_out',
  transferred: 'transferred',
  agent_error: 'agent_error',
  provider_unavailable: 'provider_unavailable',
  provider_rejected: 'provider_rejected',
  end_requested: 'hung_up_by_api',
  max_duration: 'max_duration_reached',
  funds_exhausted: 'funds_exhausted',
  ring_timeout: 'no_answer',
  queue_expired: 'queue_expired',
  suppressed: 'suppressed',
  outside_calling_window: 'outside_calling_window',
  frequency_capped: 'frequency_capped',
  lease_lost: 'worker_lost',
  shutdown: 'worker_lost',
};

/** Outcomes that the far end decides, whatever we were about to do. */
type FinalResponse = Exclude<LegOutcome, 'completed' | 'cancelled' | 'no_audio' | 'silenced' | 'not_dialled'>;

const REASON_OF_RESPONSE: Readonly<Record<FinalResponse, EndedReason>> = {
  busy: 'busy',
  no_answer: 'no_answer',
  declined: 'declined',
  invalid_destination: 'invalid_destination',
  rejected: 'carrier_rejected',
  unavailable: 'carrier_unavailable',
};

/** The callee hung up; the reason depends on what answered. */
const REASON_OF_CALLEE: Readonly<Record<AnsweredBy, EndedReason>> = {
  human: 'callee_hangup',
  ivr: 'callee_hangup',
  unknown: 'callee_hangup',
  voicemail: 'voicemail_reached',
  screening: 'call_screened',
};

const REASON_OF_COMPLETION: Readonly<Record<LegEnd['by'], (answeredBy: AnsweredBy) => EndedReason>> = {
  callee: (answeredBy) => REASON_OF_CALLEE[answeredBy],
  // Without a cause of ours, the driver's own guard has hung up, and it has no other limit.
  us: () => 'max_duration_reached',
  // The network dropped an answered call.
  carrier: () => 'connection_lost',
};

/** Translates the end of a leg into the interface's reason. `cause` is null unless we hung up. */
export function endedReasonOf(input: {
  readonly end: LegEnd;
  /** False: nothing was sent to the carrier, whatever it reports about our hang-up. */
  readonly dialled: boolean;
  readonly cause: HangUpCause | null;
  readonly answeredBy: AnsweredBy | null;
}): EndedReason {
  const { end, cause } = input;
  switch (end.outcome) {
    case 'completed':
      // Our cause counts first, even if both sides hung up at once.
      return cause ? REASON_OF_CAUSE[cause] : REASON_OF_COMPLETION[end.by](input.answeredBy ?? 'unknown');
    case 'cancelled':
      if (!input.dialled) return reasonOfNothingSent(cause);
      return cause ? REASON_OF_CAUSE[cause] : 'no_answer';
    case 'no_audio':
      return cause ? REASON_OF_CAUSE[cause] : 'no_audio';
    case 'silenced':
      return cause ? REASON_OF_CAUSE[cause] : 'worker_lost';
    case 'not_dialled':
      return reasonOfNothingSent(cause);
    case 'busy':
    case 'no_answer':
    case 'declined':
    case 'invalid_destination':
    case 'rejected':
    case 'unavailable':
      return REASON_OF_RESPONSE[end.outcome];
    default:
      return unreachable(end.outcome);
  }
}

/** Causes that explain a call of which nothing was sent. */
const KEPT_BEFORE_DIAL: ReadonlySet<HangUpCause> = new Set([
  'agent_error',
  'provider_unavailable',
  'provider_rejected',
  'queue_expired',
  'suppressed',
  'outside_calling_window',
  'frequency_capped',
]);

function reasonOfNothingSent(cause: HangUpCause | null): EndedReason {
  if (cause === 'end_requested') return 'cancelled';
  if (cause !== null && KEPT_BEFORE_DIAL.has(cause)) return REASON_OF_CAUSE[cause];
  // The permit to dial expired before the carrier was ready.
  return 'worker_lost';
}
