import { maskPhoneNumber, unreachable, type Clock, type Logger } from '@outdial/kernel';
import type { SessionEnd } from '@outdial/sip';
import type { RtpReport } from '@outdial/telephony';
import type { Journal, JournalLine, RtpCounts } from './journal.ts';

/** What happened to a call, as the callee's side saw it. */
export type CallEvent =
  | { readonly kind: 'invite' }
  | { readonly kind: 'ringing'; readonly sipCode: 180 | 183 }
  | { readonly kind: 'answered' }
  | { readonly kind: 'hold'; readonly held: boolean }
  /** The caller asks for a transfer to that URI. */
  | { readonly kind: 'refer'; readonly target: string }
  | { readonly kind: 'ended'; readonly end: SessionEnd; readonly sound: RtpReport | null };

export interface CallParties {
  readonly sipCallId: string;
  readonly calleeNumber: string;
  readonly callerNumber: string | null;
  readonly persona: string;
}

/** Writes an event to the log, for people, and to the journal, for programs. */
export type Witness = (parties: CallParties, event: CallEvent) => void;

const PARTY = { local: 'callee', remote: 'caller', network: 'network' } as const satisfies Record<
  SessionEnd['by'],
  string
>;

export function createWitness(options: {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly journal: Journal;
}): Witness {
  const { clock, logger, journal } = options;
  return (parties, event) => {
    journal.write(lineOf(parties, event, new Date(clock.nowMs()).toISOString()));
    const { calleeNumber, persona } = parties;
    logger.info(
      { event: EVENTS[event.kind], ...parties },
      `${maskPhoneNumber(calleeNumber)} (${persona}) ${sentenceOf(parties, event)}`,
    );
  };
}

const EVENTS = {
  invite: 'callee.invite',
  ringing: 'callee.ringing',
  answered: 'callee.answered',
  hold: 'callee.hold',
  refer: 'callee.refer',
  ended: 'callee.ended',
} as const;

function lineOf(
  { sipCallId, calleeNumber, callerNumber, persona }: CallParties,
  event: CallEvent,
  at: string,
): JournalLine {
  const head = { at, sip_call_id: sipCallId, to: calleeNumber, from: callerNumber, persona };
  switch (event.kind) {
    case 'invite':
    case 'answered':
      return { ...head, event: event.kind };
    case 'ringing':
      return { ...head, event: 'ringing', sip_code: event.sipCode };
    case 'hold':
      return { ...head, event: 'hold', held: event.held };
    case 'refer':
      return { ...head, event: 'refer', target: event.target };
    case 'ended': {
      const { by, outcome, sipCode, q850Cause, detail } = event.end;
      const rtp = soundOf(event.sound);
      return { ...head, event: 'ended', by: PARTY[by], outcome, sip_code: sipCode, q850_cause: q850Cause, detail, rtp };
    }
    default:
      return unreachable(event);
  }
}

function soundOf(report: RtpReport | null): RtpCounts | null {
  if (!report) return null;
  const { sentPackets, received, lostThere } = report;
  return {
    sent: sentPackets,
    received: received.packets,
    lost: received.lost,
    late: received.late,
    lost_there: lostThere,
  };
}

function sentenceOf({ callerNumber }: CallParties, event: CallEvent): string {
  switch (event.kind) {
    case 'invite':
      return `called by ${maskPhoneNumber(callerNumber ?? '')}`;
    case 'ringing':
      return event.sipCode === 183 ? 'sends early media' : 'rings';
    case 'answered':
      return 'answers';
    case 'hold':
      return event.held ? 'puts the call on hold' : 'resumes the call';
    case 'refer':
      return 'is asked to transfer the call';
    case 'ended':
      return `ended: ${event.end.outcome} by the ${PARTY[event.end.by]}, ${event.end.detail}`;
    default:
      return unreachable(event);
  }
}
