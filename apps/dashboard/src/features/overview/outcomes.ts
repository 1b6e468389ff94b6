import { endedReasons, type EndedReason, type TotalsBody } from '@outdial/contracts';

/** Groups of ended reasons for an overview of many calls, in the order of the stacked bars. */
export const OUTCOMES = [
  { key: 'completed', label: 'Completed', color: 'teal.6' },
  { key: 'machine', label: 'Voicemail, screening or silence', color: 'iris.5' },
  { key: 'unanswered', label: 'Unanswered', color: 'yellow.5' },
  { key: 'suppressed', label: 'Do not call', color: 'grape.5' },
  { key: 'stopped', label: 'Cancelled by you', color: 'gray.5' },
  { key: 'failed', label: 'Failed', color: 'red.6' },
] as const;
type Outcome = (typeof OUTCOMES)[number]['key'];

const OUTCOME_OF: Readonly<Partial<Record<EndedReason, Outcome>>> = {
  callee_hangup: 'completed',
  agent_hangup: 'completed',
  transferred: 'completed',
  max_duration_reached: 'completed',
  voicemail_reached: 'machine',
  call_screened: 'machine',
  silence_timeout: 'machine',
  busy: 'unanswered',
  no_answer: 'unanswered',
  declined: 'unanswered',
  opted_out: 'suppressed',
  suppressed: 'suppressed',
  cancelled: 'stopped',
  hung_up_by_api: 'stopped',
};

/** A reason without a group counts as a failure. */
function outcomeOf(reason: EndedReason): Outcome {
  return OUTCOME_OF[reason] ?? 'failed';
}

export function countOutcomes(reasons: TotalsBody['steps'][number]['reasons']): Readonly<Record<Outcome, number>> {
  const counts = { completed: 0, machine: 0, unanswered: 0, suppressed: 0, stopped: 0, failed: 0 };
  for (const reason of endedReasons) counts[outcomeOf(reason)] += reasons[reason] ?? 0;
  return counts;
}
