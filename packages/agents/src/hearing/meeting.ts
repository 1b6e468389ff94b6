import { unreachable } from '@outdial/kernel';
import type { Heard } from './turn-detector.ts';
import { isMachineLength, isLongPrompt, isSameLength } from './who-answered.ts';

/** A person who answers speaks within this time; after it the agent starts. */
const OPENING_MS = 1_200;
/** A voicemail's beep starts at most 1.5 s after its greeting; the agent waits for a current tone to end. */
const BEEP_WITHIN_MS = 1_700;
/** A menu that did not take the key repeats its prompt after about 4 s. */
const MENU_ANSWERS_WITHIN_MS = 5_000;
/** A screening service passes the call on, or the person answers, within this time after the reply. */
const PASSED_ON_WITHIN_MS = 8_000;
/** The longest turn that the agent listens to, so that a looping recording cannot hold it forever. */
export const LONGEST_TURN_MS = 60_000;

/** What the agent waits for until it is known who answered. */
export type MeetingPhase =
  /** Answered; neither side has spoken. */
  | { readonly name: 'opening'; readonly sinceMs: number }
  /** The callee speaks before the agent knows who answered. `promptStartMs`: start of the speech, including pauses. */
  | { readonly name: 'greeted'; readonly promptStartMs: number }
  /** A turn too long for a person's greeting has ended; a beep or more speech may follow. */
  | { readonly name: 'awaiting_beep'; readonly promptStartMs: number; readonly promptEndMs: number }
  /** A key was sent to a menu whose prompt took `promptMs`. */
  | { readonly name: 'awaiting_menu'; readonly sinceMs: number; readonly promptMs: number }
  /** The screening service has heard the reply. */
  | { readonly name: 'awaiting_pass_on'; readonly sinceMs: number };

export type MeetingMove =
  | { readonly kind: 'stay' }
  | { readonly kind: 'enter'; readonly phase: MeetingPhase }
  /** The agent talks. */
  | { readonly kind: 'proceed' }
  /** A long prompt ended without a beep. */
  | { readonly kind: 'prompt_over'; readonly promptMs: number }
  | { readonly kind: 'hang_up'; readonly reason: 'call_screened' };

export interface MeetingMoment {
  readonly heard: Heard;
  /** When the agent first spoke. */
  readonly firstWordMs: number | undefined;
}

type PhaseNamed<Name extends MeetingPhase['name']> = Extract<MeetingPhase, { readonly name: Name }>;

const STAY: MeetingMove = { kind: 'stay' };
const PROCEED: MeetingMove = { kind: 'proceed' };
const enter = (phase: MeetingPhase): MeetingMove => ({ kind: 'enter', phase });

/** The reaction to one frame while it is open who answered. Pure. */
export function nextMeetingMove(phase: MeetingPhase, moment: MeetingMoment): MeetingMove {
  switch (phase.name) {
    case 'opening':
      return inOpening(phase, moment);
    case 'greeted':
      return inGreeted(phase, moment);
    case 'awaiting_beep':
      return inAwaitingBeep(phase, moment);
    case 'awaiting_menu':
      return inAwaitingMenu(phase, moment);
    case 'awaiting_pass_on':
      return inAwaitingPassOn(phase, moment);
    default:
      return unreachable(phase);
  }
}

function inOpening(phase: PhaseNamed<'opening'>, { heard }: MeetingMoment): MeetingMove {
  if (heard.turn !== undefined) return enter({ name: 'greeted', promptStartMs: heard.turn.startMs });
  return heard.nowMs - phase.sinceMs >= OPENING_MS && !heard.tone ? PROCEED : STAY;
}

function inGreeted(phase: PhaseNamed<'greeted'>, { heard, firstWordMs }: MeetingMoment): MeetingMove {
  if (heard.nowMs - phase.promptStartMs >= LONGEST_TURN_MS) return PROCEED;
  if (heard.ended === undefined) return STAY;
  const prompt = { startMs: phase.promptStartMs, endMs: heard.ended.endMs };
  if (!isMachineLength(prompt, firstWordMs)) return PROCEED;
  return enter({ name: 'awaiting_beep', promptStartMs: prompt.startMs, promptEndMs: prompt.endMs });
}

function inAwaitingBeep(phase: PhaseNamed<'awaiting_beep'>, { heard }: MeetingMoment): MeetingMove {
  if (heard.turn !== undefined) return enter({ name: 'greeted', promptStartMs: phase.promptStartMs });
  if (heard.tone || heard.nowMs - phase.promptEndMs < BEEP_WITHIN_MS) return STAY;
  return { kind: 'prompt_over', promptMs: phase.promptEndMs - phase.promptStartMs };
}

function inAwaitingMenu(phase: PhaseNamed<'awaiting_menu'>, { heard }: MeetingMoment): MeetingMove {
  if (heard.ended !== undefined) {
    const promptMs = heard.ended.endMs - heard.ended.startMs;
    const again = isLongPrompt(promptMs) || isSameLength(promptMs, phase.promptMs);
    return again ? { kind: 'prompt_over', promptMs } : PROCEED;
  }
  if (heard.turn !== undefined) return heard.nowMs - heard.turn.startMs >= LONGEST_TURN_MS ? PROCEED : STAY;
  return heard.nowMs - phase.sinceMs >= MENU_ANSWERS_WITHIN_MS ? PROCEED : STAY;
}

function inAwaitingPassOn(phase: PhaseNamed<'awaiting_pass_on'>, { heard }: MeetingMoment): MeetingMove {
  if (heard.ended !== undefined) return PROCEED;
  if (heard.turn !== undefined) return heard.nowMs - heard.turn.startMs >= LONGEST_TURN_MS ? PROCEED : STAY;
  const waitedMs = heard.nowMs - phase.sinceMs;
  return waitedMs >= PASSED_ON_WITHIN_MS ? { kind: 'hang_up', reason: 'call_screened' } : STAY;
}

/** The phase after a hold: waiting times start again. */
export function afterHoldInMeeting(phase: MeetingPhase, nowMs: number): MeetingPhase {
  switch (phase.name) {
    case 'opening':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return { ...phase, sinceMs: nowMs };
    case 'greeted':
      // The greeting was cut short: its end is unknown.
      return { name: 'opening', sinceMs: nowMs };
    case 'awaiting_beep':
      return { ...phase, promptStartMs: nowMs - (phase.promptEndMs - phase.promptStartMs), promptEndMs: nowMs };
    default:
      return unreachable(phase);
  }
}
