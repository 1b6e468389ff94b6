import type { CallStatus } from '@outdial/contracts';

/** What can happen to a call. */
export type CallTrigger = 'claimed' | 'provisional_response' | 'answered' | 'finished';

/**
 * The one table of transitions. A status only moves forward, and every status but the last may go straight to `ended`.
 * A trigger without an entry does not apply in that state: a late or repeated carrier event changes nothing.
 */
const TRANSITIONS: Readonly<Record<CallStatus, Readonly<Partial<Record<CallTrigger, CallStatus>>>>> = {
  queued: { claimed: 'dialing', finished: 'ended' },
  dialing: { provisional_response: 'ringing', answered: 'in_progress', finished: 'ended' },
  ringing: { answered: 'in_progress', finished: 'ended' },
  in_progress: { finished: 'ended' },
  ended: {},
};

/** The status after the trigger, or null where the trigger does not apply. */
export function advance(status: CallStatus, trigger: CallTrigger): CallStatus | null {
  return TRANSITIONS[status][trigger] ?? null;
}
