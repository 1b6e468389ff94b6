import { ANSWERED_BY, endedReasons, type CallEventBody, type EndedReason } from '@outdial/contracts';
import { z } from 'zod';
import { ANSWERED_BY_WORDS } from '../../../shared/words/call-status.ts';

/** What belongs to an event, of those parts that the timeline tells. What is of another form is left out. */
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

interface Tell {
  readonly money: (amount: number) => string;
  readonly reason: (reason: EndedReason) => string;
  readonly sipCode: (code: number) => string;
}

/** An event of a call's timeline in words. */
export function eventWords(event: CallEventBody, tell: Tell): EventWords {
  const data = dataSchema.parse(event.data);
  const sipCode = data.sip_code === undefined ? null : tell.sipCode(data.sip_code);
  switch (event.type) {
    case 'queued':
      return { title: 'Accepted', detail: 'Waiting to be dialled' };
    case 'dialing':
      return { title: 'Dialling', detail: 'A worker has taken the call' };
    case 'ringing':
      return { title: 'Ringing', detail: sipCode };
    case 'in_progress':
      return { title: 'Answered', detail: 'The agent begins to speak' };
    case 'answered_by':
      return {
        title: 'Who answered',
        detail: data.answered_by === undefined ? null : ANSWERED_BY_WORDS[data.answered_by],
      };
    case 'end_requested':
      return { title: 'Asked to end', detail: 'By somebody of your account, or an API key of it' };
    case 'hold_enlarged':
      return {
        title: 'More of the wallet held',
        detail: data.hold === undefined ? null : `${tell.money(data.hold)} in all, for as long as the call goes on`,
      };
    case 'taken_over':
      return { title: 'Taken over', detail: 'The worker that had the call was lost; another one ends it' };
    case 'ended': {
      const reason = data.ended_reason === undefined ? null : tell.reason(data.ended_reason);
      return { title: 'Ended', detail: [reason, sipCode].filter((text) => text !== null).join(' · ') || null };
    }
    default:
      return event.type satisfies never;
  }
}
