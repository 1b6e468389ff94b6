import { ANSWERED_BY, endedReasons, type CallEventBody, type EndedReason } from '@outdial/contracts';
import { z } from 'zod';
import { ANSWERED_BY_WORDS } from '../../../shared/words/call-status.ts';

/** The parts of an event's data that the timeline shows. Malformed parts are dropped. */
const dataSchema = z.object({
  sip_code: z.int().optional().catch(undefined),
  answered_by: z.enum(ANSWERED_BY).optional().catch(undefined),
  ended_reason: z.enum(endedReasons).optional().catch(undefined),
  hold: z.number().optional().catch(undefined),
});

export interface EventWords {
  readonly title: string;
  readonly detail: string | null;
}

interface Formatters {
  readonly money: (amount: number) => string;
  readonly reason: (reason: EndedReason) => string;
  readonly sipCode: (code: number) => string;
}

/** Describes an event of a call's timeline. */
export function eventWords(event: CallEventBody, format: Formatters): EventWords {
  const data = dataSchema.parse(event.data);
  const sipCode = data.sip_code === undefined ? null : format.sipCode(data.sip_code);
  switch (event.type) {
    case 'queued':
      return { title: 'Accepted', detail: 'Waiting to be dialed' };
    case 'dialing':
      return { title: 'Dialing', detail: 'A worker claimed the call' };
    case 'ringing':
      return { title: 'Ringing', detail: sipCode };
    case 'in_progress':
      return { title: 'Answered', detail: 'The agent starts talking' };
    case 'answered_by':
      return {
        title: 'Answered by',
        detail: data.answered_by === undefined ? null : ANSWERED_BY_WORDS[data.answered_by],
      };
    case 'end_requested':
      return { title: 'End requested', detail: 'By a member of your account or through the API' };
    case 'hold_enlarged':
      return {
        title: 'More funds reserved',
        detail: data.hold === undefined ? null : `${format.money(data.hold)} in total until the call ends`,
      };
    case 'taken_over':
      return { title: 'Taken over', detail: 'The worker was lost, so another worker ends the call' };
    case 'ended': {
      const reason = data.ended_reason === undefined ? null : format.reason(data.ended_reason);
      return { title: 'Ended', detail: [reason, sipCode].filter((text) => text !== null).join(' · ') || null };
    }
    default:
      return event.type satisfies never;
  }
}
