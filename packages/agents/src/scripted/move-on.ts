import type { AgentHangUp } from '@outdial/calls';
import type { AnsweredBy } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Heard } from '../hearing/ear.ts';
import { BARGE_IN_SPEECH_MS, givesWay, type Phase } from './phase.ts';
import { goesOnUnheeding, isLongPrompt, isMachineLength, isSameLength } from './who-answered.ts';

/** Whoever picks up says something within this time; after it the agent begins. */
const OPENING_MS = 1_200;
/** A voicemail's beep begins at most 1.5 s after its greeting; the tone itself is waited for. */
const BEEP_WITHIN_MS = 1_700;
/** A menu repeats its prompt after about 4 s if it did not take the key. */
const MENU_ANSWERS_WITHIN_MS = 5_000;
/** A screening service passes the call on, or the person picks up, within this time after the reply. */
const PASSED_ON_WITHIN_MS = 8_000;
/** The agent does not listen longer than this to one turn, so that a recording in a loop cannot hold it for ever. */
const LONGEST_TURN_MS = 60_000;
/** What networks and jitter buffers hold back of the agent's sound. */
const PARTING_MS = 300;

/** What the agent does next. */
export type Move =
  | { readonly kind: 'stay' }
  | { readonly kind: 'enter'; readonly phase: Phase }
  /** Says what comes next in the script. */
  | { readonly kind: 'proceed' }
  /** The callee replied; then as `proceed`. */
  | { readonly kind: 'reply' }
  /** A long prompt ended and no beep came. */
  | { readonly kind: 'prompt_over'; readonly promptMs: number }
  /** The callee said nothing for as long as the script waits. */
  | { readonly kind: 'no_input' }
  /** The callee breaks into the line. */
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp };

/** What the phases look at beside themselves. */
export interface Moment {
  readonly heard: Heard;
  readonly answeredBy: AnsweredBy | undefined;
  /** When the agent first spoke. */
  readonly firstWordMs: number | undefined;
  readonly noInputAfterMs: number;
  /** The settings let the callee interrupt. */
  readonly bargeIn: boolean;
}

type PhaseNamed<Name extends Phase['name']> = Extract<Phase, { readonly name: Name }>;

const STAY: Move = { kind: 'stay' };
const enter = (phase: Phase): Move => ({ kind: 'enter', phase });

/** What a frame of sound brings about in each phase. Pure: the agent carries the move out. */
export function moveOn(phase: Phase, moment: Moment): Move {
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
  if (!bargeIn || !givesWay(phase) || heard.turn === undefined || heard.turn.startMs === phase.overTurnMs) return STAY;
  return heard.turn.speechMs >= BARGE_IN_SPEECH_MS ? { kind: 'interrupt' } : STAY;
}

function inAwaitingReply(phase: PhaseNamed<'awaiting_reply'>, moment: Moment): Move {
  const { heard, answeredBy, firstWordMs } = moment;
  if (heard.ended !== undefined) {
    const { startMs, endMs } = heard.ended;
    const isPrompt =
      (answeredBy === undefined && isMachineLength(heard.ended, firstWordMs)) ||
      (answeredBy === 'human' && goesOnUnheeding(heard.ended, firstWordMs));
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
