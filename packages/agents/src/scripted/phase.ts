import type { AgentHangUp } from '@outdial/calls';
import { unreachable } from '@outdial/kernel';
import { afterHoldInMeeting, type MeetingPhase } from '../hearing/meeting.ts';
import type { ScriptLine, LinePurpose } from './script-line.ts';

/** The state of the conversation. */
export type Phase =
  | MeetingPhase
  /** The agent speaks a line, or waits for its sound. `overTurnMs`: start of a callee turn that it deliberately talks over. */
  | { readonly name: 'saying'; readonly line: ScriptLine; readonly overTurnMs: number | undefined }
  /** The agent has spoken and waits for the end of the callee's turn. `answered`: the callee has already spoken. */
  | { readonly name: 'awaiting_reply'; readonly sinceMs: number; readonly answered: boolean }
  /** The last line is spoken and its last frames are in transit: hanging up now would cut them off. */
  | { readonly name: 'parting'; readonly sinceMs: number; readonly reason: AgentHangUp }
  /** The agent has hung up. */
  | { readonly name: 'over' };

/** This much speech interrupts the agent: more than a cough, and well within 300 ms. */
export const BARGE_IN_SPEECH_MS = 140;

/** Whether the callee may interrupt the current line. Closings, messages, replies and confirmations are spoken to the end. */
export function allowsBargeIn(phase: Phase): boolean {
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

/** Whether a beep in this phase asks for a message. */
export const awaitsBeep = (phase: Phase): boolean =>
  allowsBargeIn(phase) || (phase.name === 'saying' && phase.line.purpose === 'screening');

const YIELDING: Readonly<Record<LinePurpose, boolean>> = {
  script: true,
  menu: true,
  no_input: true,
  closing: false,
  voicemail: false,
  screening: false,
  opt_out: false,
};

/** The phase after a hold: waiting times start again. */
export function afterHold(phase: Phase, nowMs: number): Phase {
  switch (phase.name) {
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return afterHoldInMeeting(phase, nowMs);
    case 'awaiting_reply':
    case 'parting':
      return { ...phase, sinceMs: nowMs };
    case 'saying':
    case 'over':
      return phase;
    default:
      return unreachable(phase);
  }
}
