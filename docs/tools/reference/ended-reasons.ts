import { CALL_FAILURES, ENDED_REASONS, endedReasons, type EndedFault, type EndedReason } from '@outdial/contracts';
import { code, table, yesNo } from './table.ts';

/** One sentence for each reason. The compiler requires a sentence for a new reason. */
const MEANINGS: Readonly<Record<EndedReason, string>> = {
  callee_hangup: 'The callee hung up.',
  agent_hangup: 'The agent finished its script and hung up.',
  transferred:
    'The agent transferred the callee to a destination of its settings. The new call is not ours and costs nothing here.',
  max_duration_reached: 'The call reached `max_duration_seconds`.',
  silence_timeout: 'The callee answered and did not speak.',
  voicemail_reached: 'A voicemail answered, and the agent left its message if it has one.',
  call_screened: 'A call screener answered and did not connect the call.',
  funds_exhausted: 'The wallet could not cover another billing increment.',
  cancelled:
    'The API or the dashboard ended the call before a worker dialed it, or its campaign was paused or canceled. After a pause the contact has another call.',
  hung_up_by_api: 'The API or the dashboard ended the call after a worker dialed it.',
  busy: 'The callee was busy.',
  no_answer: 'The call rang until the ring timeout, and the callee did not answer.',
  declined: 'The callee declined the call.',
  invalid_destination: 'The number is not in service.',
  carrier_rejected: 'The carrier rejected the call, or no trunk accepts its caller number.',
  carrier_unavailable: 'No carrier took the call.',
  connection_lost: 'The network dropped an answered call.',
  queue_expired: 'The call waited in the queue longer than `OUTDIAL_QUEUE_TTL_SECONDS`.',
  schedule_expired:
    'No worker dialed the call before its `expires_at`: every slot was taken, the funds did not suffice, or no worker ran.',
  not_permitted:
    'When the scheduled call was due, the account could no longer place it. The event `ended` has the `code`.',
  suppressed: 'The number was put on a do-not-call list before a worker dialed it.',
  outside_calling_window:
    'The calling policy closed the callee’s hours, or the campaign its own, before a worker dialed the call.',
  frequency_capped: 'The number was called as often as the calling policy allows before a worker dialed the call.',
  opted_out: 'The callee asked for no more calls. The number is on the account’s do-not-call list.',
  agent_error: 'The agent failed. `failure` says why.',
  provider_unavailable: 'A provider of the agent’s models did not respond, failed or had no room.',
  provider_rejected: 'A provider of the agent’s models rejected the credential, the model or its settings.',
  no_audio: 'The call was answered, and no audio arrived from the carrier.',
  worker_lost: 'The worker that drove the call stopped or lost its lease.',
  reconciled_unknown: 'The worker disappeared before the outcome of the dial was known.',
};

const FAULTS: Readonly<Record<EndedFault, string>> = {
  none: 'none',
  callee: 'callee',
  carrier: 'carrier',
  provider: 'provider',
  platform: 'platform',
  account: 'account',
};

export function endedReasonsPage(): string {
  const rows = endedReasons.map((reason) => {
    const { retryable, billable, fault } = ENDED_REASONS[reason];
    return [code(reason), MEANINGS[reason], yesNo(retryable), yesNo(billable), FAULTS[fault]];
  });
  return [
    '# Ended reasons',
    'Every call ends with exactly one `ended_reason` from this closed list. Your program should accept a value that it does not know: a later version may add one.',
    table(['ended_reason', 'Meaning', 'Retry?', 'Billed if answered', 'Cause'], rows),
    '"Retry?" says whether the same call may succeed later. A call that was never answered costs nothing, whatever the reason.',
    '## `connection_lost`',
    'The far end rejected or ignored a session refresh, or no longer knew the call. The call is billed up to the moment at which the worker learns of the loss and sends its own BYE, because both sides may have talked until then. [ADR 13](../adr/0013-a-lost-connection-is-billed.md) gives the reasons.',
    '## `agent_error`',
    'The call carries a `failure` with a `code`, a `message`, and the `field` of the agent settings that caused it. `agent_version` names the version of the agent that conducted the call.',
    table(
      ['failure.code', 'failure.message'],
      Object.entries(CALL_FAILURES).map(([failure, message]) => [code(failure), message]),
    ),
  ].join('\n\n');
}
