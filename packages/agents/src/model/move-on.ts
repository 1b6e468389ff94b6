import type { AgentHangUp } from '@outdial/calls';
import type { AnsweredBy, ConductedSettings } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { nextMeetingMove, type MeetingMoment, type MeetingMove } from '../hearing/meeting.ts';
import { ignoresAgent, isMachineLength } from '../hearing/who-answered.ts';
import { bargeIn, type BargeInMoment, type BargeInMove } from './barge-in.ts';
import type { Phase } from './phase.ts';

/** How long networks and jitter buffers delay the agent's sound. */
const PARTING_MS = 300;
/** A voicemail beeps within this time after the model has noticed it. */
const TONE_WITHIN_MS = 8_000;
/** An answer without a first token, or without a first sound, is late: a fallback may race it. */
const LATE_MS = { token: 3_000, sound: 4_000 } as const;
/** The longest that a callee waits for an answer. */
const OVERDUE_MS = 8_000;
/** The longest that an answer may fall silent in the middle: voices that replace another take a while. */
const STARVED_MS = 15_000;

/** The agent's next action. */
export type Move =
  | MeetingMove
  | BargeInMove
  | { readonly kind: 'enter'; readonly phase: Phase }
  /** The callee replied to the agent: it is a person. */
  | { readonly kind: 'replied' }
  /** The answer takes long: a phrase of `waiting`. */
  | { readonly kind: 'fill_wait' }
  /** The answer is so late that the mind should ask another model too. */
  | { readonly kind: 'late' }
  /** No answer comes any more. */
  | { readonly kind: 'overdue' }
  | { readonly kind: 'no_input' }
  /** The callee has heard that it is transferred. */
  | { readonly kind: 'transfer' }
  /** The person who answered a warm transfer has heard the introduction, or none comes. */
  | { readonly kind: 'introduced' }
  /** No beep came; the message is left anyway. */
  | { readonly kind: 'leave_message' }
  /** The line that is spoken to its end never came. */
  | { readonly kind: 'line_missing' }
  | { readonly kind: 'say_failure' }
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp };

/** The inputs of a decision besides the phase. */
export interface Moment extends MeetingMoment, BargeInMoment {
  readonly answeredBy: AnsweredBy | undefined;
  readonly settings: Pick<ConductedSettings, 'interruption' | 'no_input' | 'waiting'>;
  /** Since when neither side speaks. */
  readonly quietSinceMs: number;
  /** Since when the callee waits for an answer; null: for none. */
  readonly owedSinceMs: number | null;
  /** For how long an answer has begun and has had no more sound. */
  readonly starvedMs: number;
  readonly toolsRunning: boolean;
  readonly waitFilled: boolean;
  /** The mind knows that this answer is late. */
  readonly isLate: boolean;
  /** Words of an answer have come, and no sound. */
  readonly soundMissing: boolean;
  /** The callee has replied to the agent. */
  readonly settled: boolean;
  /** An `end_call` may be canceled by a callee who speaks. */
  readonly mayCancelEnd: boolean;
  /** The far end calls the destination of a transfer. */
  readonly isTransferring: boolean;
  /** Its destination has answered, and the callee does not hear the agent. */
  readonly isIntroducing: boolean;
}

const STAY: Move = { kind: 'stay' };

/** The agent's reaction to one frame, and to what the mind has reported since the last one. Pure. */
export function moveOn(phase: Phase, moment: Moment): Move {
  const { nowMs, beep } = moment.heard;
  if (isStarved(phase, moment)) return { kind: phase.name === 'introducing' ? 'introduced' : 'overdue' };
  switch (phase.name) {
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
      return nextMeetingMove(phase, moment);
    case 'awaiting_tone':
      return beep || nowMs - phase.sinceMs >= TONE_WITHIN_MS ? { kind: 'leave_message' } : STAY;
    case 'talking':
      return inTalk(moment);
    case 'saying':
      return inLine(moment, phase);
    case 'ending':
      if (!moment.playing) return { kind: 'enter', phase: { name: 'parting', sinceMs: nowMs, reason: 'agent_hangup' } };
      return moment.mayCancelEnd ? bargeIn(moment) : STAY;
    case 'announcing':
      return inAnnouncement(moment, phase);
    case 'transferring':
      return bargeIn(moment);
    case 'introducing':
      return !moment.playing && nowMs - phase.sinceMs >= OVERDUE_MS ? { kind: 'introduced' } : STAY;
    case 'failing':
      if (moment.isIntroducing) return moment.playing ? STAY : { kind: 'introduced' };
      // A transfer under way may still save the call.
      return moment.playing || moment.isTransferring ? STAY : { kind: 'say_failure' };
    case 'parting':
      return nowMs - phase.sinceMs >= PARTING_MS ? { kind: 'hang_up', reason: phase.reason } : STAY;
    case 'over':
      return STAY;
    default:
      return unreachable(phase);
  }
}

/** An answer that never ends would keep a callee who says nothing in the call. */
function isStarved(phase: Phase, { starvedMs }: Moment): boolean {
  if (starvedMs < STARVED_MS) return false;
  switch (phase.name) {
    case 'talking':
    case 'saying':
    case 'ending':
    case 'announcing':
    case 'introducing':
      return true;
    case 'opening':
    case 'greeted':
    case 'awaiting_beep':
    case 'awaiting_menu':
    case 'awaiting_pass_on':
    case 'awaiting_tone':
    case 'transferring':
    case 'failing':
    case 'parting':
    case 'over':
      return false;
    default:
      return unreachable(phase);
  }
}

/** A callee who interrupts stays: it may not want to be transferred. */
function inAnnouncement(moment: Moment, phase: Extract<Phase, { name: 'announcing' }>): Move {
  const interruption = bargeIn(moment);
  if (interruption.kind !== 'stay') return interruption;
  if (moment.playing || moment.paused) return STAY;
  const isLineMissing = moment.heard.nowMs - phase.sinceMs >= OVERDUE_MS;
  return phase.awaitsLine && !isLineMissing ? STAY : { kind: 'transfer' };
}

function inLine(moment: Moment, { line, sinceMs }: Extract<Phase, { name: 'saying' }>): Move {
  const waitedMs = moment.heard.nowMs - sinceMs;
  // The failure message is spoken without the mind.
  if (moment.playing && !(moment.soundMissing && line !== 'failure')) return STAY;
  if (waitedMs >= OVERDUE_MS) return { kind: 'line_missing' };
  return line !== 'failure' && isNewlyLate(moment, waitedMs) ? { kind: 'late' } : STAY;
}

function isNewlyLate({ isLate, soundMissing }: Moment, waitedMs: number): boolean {
  return !isLate && waitedMs >= (soundMissing ? LATE_MS.sound : LATE_MS.token);
}

function inTalk(moment: Moment): Move {
  const interruption = bargeIn(moment);
  if (interruption.kind !== 'stay') return interruption;
  const reply = firstReply(moment);
  if (reply.kind !== 'stay') return reply;
  const isAnswering = moment.playing && !(moment.soundMissing && moment.owedSinceMs !== null);
  if (isAnswering || moment.paused) return STAY;
  return moment.owedSinceMs === null ? inSilence(moment) : inWait(moment, moment.owedSinceMs);
}

/** The callee's first reply shows a person, or a recording that began late. */
function firstReply({ heard, settled, answeredBy, firstWordMs }: Moment): Move {
  if (settled || heard.ended === undefined || firstWordMs === undefined) return STAY;
  const { startMs, endMs } = heard.ended;
  const isPrompt =
    (answeredBy === undefined && isMachineLength(heard.ended, firstWordMs)) ||
    (answeredBy === 'human' && ignoresAgent(heard.ended, firstWordMs));
  if (!isPrompt) return { kind: 'replied' };
  return { kind: 'enter', phase: { name: 'awaiting_beep', promptStartMs: startMs, promptEndMs: endMs } };
}

function inSilence({ heard, quietSinceMs, settings }: Moment): Move {
  if (heard.turn !== undefined) return STAY;
  return heard.nowMs - quietSinceMs >= settings.no_input.after_ms ? { kind: 'no_input' } : STAY;
}

function inWait(moment: Moment, owedSinceMs: number): Move {
  const { heard, toolsRunning, waitFilled, settings } = moment;
  const owedMs = heard.nowMs - owedSinceMs;
  if (owedMs >= OVERDUE_MS && !toolsRunning) return { kind: 'overdue' };
  const { after_ms: afterMs, phrases } = settings.waiting;
  const mayFill = !waitFilled && phrases.length > 0 && heard.turn === undefined;
  if (mayFill && owedMs >= afterMs) return { kind: 'fill_wait' };
  return !toolsRunning && isNewlyLate(moment, owedMs) ? { kind: 'late' } : STAY;
}
