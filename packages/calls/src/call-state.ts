import { CALL_STATUSES, type CallStatus } from '@outdial/contracts';

/**
 * Who acts on a call. `planned`: it is scheduled, and holds neither a slot nor money. `waiting`: no worker has claimed it.
 * `driven`: a worker has, so it has an epoch, a start and a lease. `over`: it has an end, a reason and its charge, and never changes its status again.
 */
export type CallPhase = 'planned' | 'waiting' | 'driven' | 'over';

interface Transition {
  readonly from: readonly CallStatus[];
  readonly to: CallStatus;
}

/**
 * The call-state table: the phase of each status, and each transition. Statements take their statuses from here. What
 * stands in migrations, such as CHECKs and functions, is compared with it by tests of `packages/persistence`.
 *
 * A status only moves forward, and every status but the last may go straight to `ended`. A trigger does not apply in a
 * status that it does not list: a late or repeated carrier event changes nothing.
 */
export const CALL_STATES = {
  phases: {
    scheduled: 'planned',
    queued: 'waiting',
    dialing: 'driven',
    ringing: 'driven',
    in_progress: 'driven',
    ended: 'over',
  },
  transitions: {
    admitted: { from: ['scheduled'], to: 'queued' },
    claimed: { from: ['queued'], to: 'dialing' },
    provisional_response: { from: ['dialing'], to: 'ringing' },
    answered: { from: ['dialing', 'ringing'], to: 'in_progress' },
    finished: { from: ['scheduled', 'queued', 'dialing', 'ringing', 'in_progress'], to: 'ended' },
  },
} as const satisfies {
  readonly phases: Readonly<Record<CallStatus, CallPhase>>;
  readonly transitions: Readonly<Record<string, Transition>>;
};

type Phases = (typeof CALL_STATES)['phases'];
type Transitions = (typeof CALL_STATES)['transitions'];

/** What can happen to a call. */
export type CallTrigger = keyof Transitions;

/** The status that a trigger leads to. */
export type StatusAfter<Trigger extends CallTrigger> = Transitions[Trigger]['to'];

/** The statuses of a phase. */
export type StatusIn<Phase extends CallPhase> = {
  [Status in CallStatus]: Phases[Status] extends Phase ? Status : never;
}[CallStatus];

/** The statuses of a call that holds a slot and money. */
export type OpenStatus = StatusIn<'waiting' | 'driven'>;

const PHASES: Readonly<Record<CallStatus, CallPhase>> = CALL_STATES.phases;
const TRANSITIONS: Readonly<Record<CallTrigger, Transition>> = CALL_STATES.transitions;

/** The statuses of a phase, in the order in which a call passes them. */
export function statusesIn(phase: CallPhase): readonly CallStatus[] {
  return CALL_STATUSES.filter((status) => PHASES[status] === phase);
}

/** The statuses in which the trigger applies. */
export function statusesBefore(trigger: CallTrigger): readonly CallStatus[] {
  return TRANSITIONS[trigger].from;
}

/** The status after the trigger, or null where the trigger does not apply. */
export function advance(status: CallStatus, trigger: CallTrigger): CallStatus | null {
  const { from, to } = TRANSITIONS[trigger];
  return from.includes(status) ? to : null;
}
