import { endedReasons, type EndedReason, type TotalsBody } from '@outdial/contracts';

/** Reasons that mean the same to somebody who looks at many calls, in the order in which they are stacked. */
export const OUTCOMES = [
  { key: 'completed', label: 'Conversation', color: 'teal.6' },
  { key: 'machine', label: 'Voicemail, screening or silence', color: 'iris.5' },
  { key: 'unanswered', label: 'Not answered', color: 'yellow.5' },
  { key: 'stopped', label: 'Cancelled or hung up by you', color: 'gray.5' },
  { key: 'failed', label: 'Failed', color: 'red.6' },
] as const;
type Outcome = (typeof OUTCOMES)[number]['key'];

const OUTCOME_OF: Readonly<Partial<Record<EndedReason, Outcome>>> = {
  callee_hangup: 'completed',
  agent_hangup: 'completed',
  max_duration_reached: 'completed',
  voicemail_reached: 'machine',
  call_screened: 'machine',
  silence_timeout: 'machine',
  busy: 'unanswered',
  no_answer: 'unanswered',
  declined: 'unanswered',
  cancelled: 'stopped',
  hung_up_by_api: 'stopped',
};

/** A reason that is not told apart here is a failure. */
function outcomeOf(reason: EndedReason): Outcome {
  return OUTCOME_OF[reason] ?? 'failed';
}

export function countOutcomes(reasons: TotalsBody['steps'][number]['reasons']): Readonly<Record<Outcome, number>> {
  const counts = { completed: 0, machine: 0, unanswered: 0, stopped: 0, failed: 0 };
  for (const reason of endedReasons) counts[outcomeOf(reason)] += reasons[reason] ?? 0;
  return counts;
}
