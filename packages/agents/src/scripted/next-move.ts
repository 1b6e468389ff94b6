import type { AgentHangUp } from '@outdial/calls';
import type { AnsweredBy } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Heard } from '../hearing/turn-detector.ts';
import { BARGE_IN_SPEECH_MS, allowsBargeIn, type Phase } from './phase.ts';
import { ignoresAgent, isLongPrompt, isMachineLength, isSameLength } from './who-answered.ts';

/** A person who answers speaks within this time; after it the agent starts. */
const OPENING_MS = 1_200;
/** A voicemail's beep starts at most 1.5 s after its greeting; the agent waits for a current tone to end. */
const BEEP_WITHIN_MS = 1_700;
/** A menu that did not take the key repeats its prompt after about 4 s. */
const MENU_ANSWERS_WITHIN_MS = 5_000;
/** A screening service passes the call on, or the person answers, within this time after the reply. */
const PASSED_ON_WITHIN_MS = 8_000;
/** The longest turn that the agent listens to, so that a looping recording cannot hold it forever. */
const LONGEST_TURN_MS = 60_000;
/** How long networks and jitter buffers delay the agent's sound. */
const PARTING_MS = 300;

/** The agent's next action. */
export type Move =
  | { readonly kind: 'stay' }
  | { readonly kind: 'enter'; readonly phase: Phase }
  /** Speaks the next line of the script. */
  | { readonly kind: 'proceed' }
  /** The callee replied; then as `proceed`. */
  | { readonly kind: 'reply' }
  /** A long prompt ended without a beep. */
  | { readonly kind: 'prompt_over'; readonly promptMs: number }
  /** The callee was silent for as long as the script waits. */
  | { readonly kind: 'no_input' }
  /** The callee barges in. */
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp };

/** The inputs of a decision besides the phase. */
export interface Moment {
  readonly heard: Heard;
  readonly answeredBy: AnsweredBy | undefined;
  /** When the agent first spoke. */
  readonly firstWordMs: number | undefined;
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
      return inOpening(phase, moment);
    case 'greeted':
      return inGreeted(phase, moment);
    case 'awaiting_beep':
      return inAwaitingBeep(phase, moment);
    case 'saying':
      return inSaying(phase, moment);
    case 'awaiting_reply':
      return inAwaitingReply(phase, moment);
    case 'awaiting_menu':
      return inAwaitingMenu(phase, moment);
    case 'awaiting_pass_on':
      return inAwaitingPassOn(phase, moment);
    case 'parting':
      return moment.heard.nowMs - phase.sinceMs >= PARTING_MS ? { kind: 'hang_up', reason: phase.reason } : STAY;
    case 'over':
      return STAY;
    default:
      return unreachable(phase);
  }
}

function inOpening(phase: PhaseNamed<'opening'>, { heard }: Moment): Move {
  if (heard.turn !== undefined) return enter({ name: 'greeted', promptStartMs: heard.turn.startMs });
  return heard.nowMs - phase.sinceMs >= OPENING_MS && !heard.tone ? { kind: 'proceed' } : STAY;
}

function inGreeted(phase: PhaseNamed<'greeted'>, { heard, firstWordMs }: Moment): Move {
  if (heard.nowMs - phase.promptStartMs >= LONGEST_TURN_MS) return { kind: 'proceed' };
  if (heard.ended === undefined) return STAY;
  const prompt = { startMs: phase.promptStartMs, endMs: heard.ended.endMs };
  if (!isMachineLength(prompt, firstWordMs)) return { kind: 'proceed' };
  return enter({ name: 'awaiting_beep', promptStartMs: prompt.startMs, promptEndMs: prompt.endMs });
}

function inAwaitingBeep(phase: PhaseNamed<'awaiting_beep'>, { heard }: Moment): Move {
  if (heard.turn !== undefined) return enter({ name: 'greeted', promptStartMs: phase.promptStartMs });
  if (heard.tone || heard.nowMs - phase.promptEndMs < BEEP_WITHIN_MS) return STAY;
  return { kind: 'prompt_over', promptMs: phase.promptEndMs - phase.promptStartMs };
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

function inAwaitingMenu(phase: PhaseNamed<'awaiting_menu'>, { heard }: Moment): Move {
  if (heard.ended !== undefined) {
    const promptMs = heard.ended.endMs - heard.ended.startMs;
    const again = isLongPrompt(promptMs) || isSameLength(promptMs, phase.promptMs);
    return again ? { kind: 'prompt_over', promptMs } : { kind: 'proceed' };
  }
  if (heard.turn !== undefined) return heard.nowMs - heard.turn.startMs >= LONGEST_TURN_MS ? { kind: 'proceed' } : STAY;
  return heard.nowMs - phase.sinceMs >= MENU_ANSWERS_WITHIN_MS ? { kind: 'proceed' } : STAY;
}

function inAwaitingPassOn(phase: PhaseNamed<'awaiting_pass_on'>, { heard }: Moment): Move {
  if (heard.ended !== undefined) return { kind: 'proceed' };
  if (heard.turn !== undefined) return heard.nowMs - heard.turn.startMs >= LONGEST_TURN_MS ? { kind: 'proceed' } : STAY;
  const waitedMs = heard.nowMs - phase.sinceMs;
  return waitedMs >= PASSED_ON_WITHIN_MS ? { kind: 'hang_up', reason: 'call_screened' } : STAY;
}
