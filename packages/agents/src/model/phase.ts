import type { AgentHangUp } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import { afterHoldInMeeting, type MeetingPhase } from '../hearing/meeting.ts';

/** A text that is spoken to its end. */
export type FixedLine = 'voicemail' | 'screening' | 'closing' | 'opt_out' | 'failure';

/** The state of a conversation that a model conducts. */
export type Phase =
  /** It is open who answered; the mind hears, and nothing of it is played. */
  | MeetingPhase
  /** The model has noticed a machine, and waits for its beep. */
  | { readonly name: 'awaiting_tone'; readonly sinceMs: number }
  /** The gate is open: the mind answers the callee. */
  | { readonly name: 'talking' }
  | { readonly name: 'saying'; readonly line: FixedLine; readonly sinceMs: number }
  /** The conversation is over once the answer under way has been played. */
  | { readonly name: 'ending' }
  /** The callee hears that it is transferred. `awaitsLine`: by a line that the mind is asked for. */
  | { readonly name: 'announcing'; readonly awaitsLine: boolean; readonly sinceMs: number }
  /** The destination is called: by the far end, or by us while the callee waits. */
  | { readonly name: 'transferring' }
  /** The destination of a warm transfer has answered, and hears the introduction. */
  | { readonly name: 'introducing'; readonly sinceMs: number }
  /** The mind has failed: what it said before is played. */
  | { readonly name: 'failing' }
  /** The last words are spoken and their last frames are in transit: hanging up now would cut them off. */
  | { readonly name: 'parting'; readonly sinceMs: number; readonly reason: AgentHangUp }
  | { readonly name: 'over' };

/** Whether answers of the mind wait: they are played once it is known who answered. */
export function holdsAnswers(phase: Phase): boolean {
  switch (phase.name) {
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
    case 'awaiting_tone':
      return true;
    case 'talking':
    case 'saying':
    case 'ending':
    case 'announcing':
    case 'transferring':
    case 'introducing':
    case 'failing':
    case 'parting':
    case 'over':
      return false;
    default:
      return unreachable(phase);
  }
}

/** Whether the model still has an answer to give: an instruction would come too late for the last one. */
export function mayBeInstructed(phase: Phase): boolean {
  switch (phase.name) {
    case 'ending':
    case 'failing':
    case 'parting':
    case 'over':
      return false;
    case 'saying':
      return phase.line === 'screening';
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
    case 'awaiting_tone':
    case 'talking':
    case 'announcing':
    case 'transferring':
    case 'introducing':
      return true;
    default:
      return unreachable(phase);
  }
}

/** Whether a beep in this phase asks for a message. */
export const awaitsBeep = (phase: Phase): boolean =>
  holdsAnswers(phase) || phase.name === 'talking' || (phase.name === 'saying' && phase.line === 'screening');

/** The phase after a hold: waiting times start again. */
export function afterHold(phase: Phase, nowMs: number): Phase {
  switch (phase.name) {
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return afterHoldInMeeting(phase, nowMs);
    case 'awaiting_tone':
    case 'saying':
    case 'announcing':
    case 'introducing':
    case 'parting':
      return { ...phase, sinceMs: nowMs };
    case 'talking':
    case 'ending':
    case 'transferring':
    case 'failing':
    case 'over':
      return phase;
    default:
      return unreachable(phase);
  }
}
