import type { AgentHangUp } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import type { Line, LinePurpose } from './line.ts';

/** Where the conversation stands. */
export type Phase =
  /** Picked up; nobody has spoken. */
  | { readonly name: 'opening'; readonly sinceMs: number }
  /** The callee speaks before it is known who they are. `promptStartMs`: since when, pauses included. */
  | { readonly name: 'greeted'; readonly promptStartMs: number }
  /** What was too long for a person's greeting is over; a beep may follow, or more of it. */
  | { readonly name: 'awaiting_beep'; readonly promptStartMs: number; readonly promptEndMs: number }
  /** The agent says a line, or waits for its sound. `overTurnMs`: the start of a callee's turn that it knowingly talks over. */
  | { readonly name: 'saying'; readonly line: Line; readonly overTurnMs: number | undefined }
  /** The agent has said something and waits for the callee's turn to end. `answered`: the callee already spoke. */
  | { readonly name: 'awaiting_reply'; readonly sinceMs: number; readonly answered: boolean }
  /** A key was sent to a menu, whose prompt took `promptMs`. */
  | { readonly name: 'awaiting_menu'; readonly sinceMs: number; readonly promptMs: number }
  /** The screening service was told who calls. */
  | { readonly name: 'awaiting_pass_on'; readonly sinceMs: number }
  /** The last line is said, and its last frames are on their way: to hang up at once would cut them off. */
  | { readonly name: 'parting'; readonly sinceMs: number; readonly reason: AgentHangUp }
  /** The agent wants the call to be over. */
  | { readonly name: 'over' };

/** So much speech breaks into the agent's line: more than a cough, and done well before 300 ms are over. */
export const BARGE_IN_SPEECH_MS = 140;

/** The line under way, if any, may give way to the callee. Farewells, messages and replies are said to the end. */
export function givesWay(phase: Phase): boolean {
  switch (phase.name) {
    case 'saying':
      return YIELDING[phase.line.purpose];
    case 'parting':
    case 'over':
      return false;
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_reply':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return true;
    default:
      return unreachable(phase);
  }
}

/** A beep in this phase is an invitation to leave a message. */
export const awaitsBeep = (phase: Phase): boolean =>
  givesWay(phase) || (phase.name === 'saying' && phase.line.purpose === 'screening');

const YIELDING: Readonly<Record<LinePurpose, boolean>> = {
  script: true,
  menu: true,
  no_input: true,
  closing: false,
  voicemail: false,
  screening: false,
};

/** The phase of a callee who comes back: they have all their time again. */
export function afterHold(phase: Phase, nowMs: number): Phase {
  switch (phase.name) {
    case 'opening':
    case 'awaiting_reply':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
    case 'parting':
      return { ...phase, sinceMs: nowMs };
    case 'greeted':
      // The greeting was cut short: its end will not be heard.
      return { name: 'opening', sinceMs: nowMs };
    case 'awaiting_beep':
      return { ...phase, promptStartMs: nowMs - (phase.promptEndMs - phase.promptStartMs), promptEndMs: nowMs };
    case 'saying':
    case 'over':
      return phase;
    default:
      return unreachable(phase);
  }
}
