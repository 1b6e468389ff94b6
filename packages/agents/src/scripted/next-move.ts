import type { AgentHangUp } from '@outdial/calls';
import type { AnsweredBy } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { LONGEST_TURN_MS, nextMeetingMove, type MeetingMoment, type MeetingMove } from '../hearing/meeting.ts';
import { ignoresAgent, isMachineLength } from '../hearing/who-answered.ts';
import { BARGE_IN_SPEECH_MS, allowsBargeIn, type Phase } from './phase.ts';

/** How long networks and jitter buffers delay the agent's sound. */
const PARTING_MS = 300;

/** The agent's next action. */
export type Move =
  | MeetingMove
  | { readonly kind: 'enter'; readonly phase: Phase }
  /** The callee replied; then as `proceed`. */
  | { readonly kind: 'reply' }
  /** The callee was silent for as long as the script waits. */
  | { readonly kind: 'no_input' }
  /** The callee barges in. */
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp };

/** The inputs of a decision besides the phase. */
export interface Moment extends MeetingMoment {
  readonly answeredBy: AnsweredBy | undefined;
  readonly noInputAfterMs: number;
  /** The settings allow barge-in. */
  readonly bargeIn: boolean;
}

type PhaseNamed<Name extends Phase['name']> = Extract<Phase, { readonly name: Name }>;

const STAY: Move = { kind: 'stay' };
const enter = (phase: Phase): Move => ({ kind: 'enter', phase });

/** The agent's reaction to one frame in each phase. Pure: the agent executes the move. */
export function nextMove(phase: Phase, moment: Moment): Move {
  switch (phase.name) {
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return nextMeetingMove(phase, moment);
    case 'saying':
      return inSaying(phase, moment);
    case 'awaiting_reply':
      return inAwaitingReply(phase, moment);
    case 'parting':
      return moment.heard.nowMs - phase.sinceMs >= PARTING_MS ? { kind: 'hang_up', reason: phase.reason } : STAY;
    case 'over':
      return STAY;
    default:
      return unreachable(phase);
  }
}

function inSaying(phase: PhaseNamed<'saying'>, { heard, bargeIn }: Moment): Move {
  if (!bargeIn || !allowsBargeIn(phase) || heard.turn === undefined || heard.turn.startMs === phase.overTurnMs)
    return STAY;
  return heard.turn.speechMs >= BARGE_IN_SPEECH_MS ? { kind: 'interrupt' } : STAY;
}

function inAwaitingReply(phase: PhaseNamed<'awaiting_reply'>, moment: Moment): Move {
  const { heard, answeredBy, firstWordMs } = moment;
  if (heard.ended !== undefined) {
    const { startMs, endMs } = heard.ended;
    const isPrompt =
      (answeredBy === undefined && isMachineLength(heard.ended, firstWordMs)) ||
      (answeredBy === 'human' && ignoresAgent(heard.ended, firstWordMs));
    return isPrompt ? enter({ name: 'awaiting_beep', promptStartMs: startMs, promptEndMs: endMs }) : { kind: 'reply' };
  }
  if (heard.turn !== undefined) return heard.nowMs - heard.turn.startMs >= LONGEST_TURN_MS ? { kind: 'reply' } : STAY;
  if (phase.answered) return { kind: 'reply' };
  return heard.nowMs - phase.sinceMs >= moment.noInputAfterMs ? { kind: 'no_input' } : STAY;
}
