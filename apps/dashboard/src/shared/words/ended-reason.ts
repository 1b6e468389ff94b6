import type { EndedReason } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  /** What happened, in a sentence. */
  readonly meaning: string;
  readonly tone: Tone;
}

export const ENDED_REASON_WORDS: Readonly<Record<EndedReason, Wording>> = {
  callee_hangup: { label: 'Callee hung up', meaning: 'The callee ended the conversation.', tone: 'good' },
  agent_hangup: { label: 'Completed', meaning: 'The agent said all it had to say and hung up.', tone: 'good' },
  max_duration_reached: {
    label: 'Time limit reached',
    meaning: 'The call took as long as it was allowed to.',
    tone: 'warning',
  },
  silence_timeout: { label: 'Silence', meaning: 'The callee picked up and said nothing.', tone: 'warning' },
  voicemail_reached: { label: 'Voicemail', meaning: 'An answering machine picked up.', tone: 'warning' },
  call_screened: {
    label: 'Screened',
    meaning: 'A call screener picked up and did not put it through.',
    tone: 'warning',
  },
  funds_exhausted: { label: 'Funds ran out', meaning: 'The wallet did not cover any more of the call.', tone: 'bad' },
  cancelled: { label: 'Cancelled', meaning: 'It was ended before it was dialled.', tone: 'neutral' },
  hung_up_by_api: { label: 'Hung up by you', meaning: 'It was ended here or through the API.', tone: 'neutral' },
  busy: { label: 'Busy', meaning: 'The callee was on another call.', tone: 'warning' },
  no_answer: { label: 'No answer', meaning: 'It rang, and nobody picked up.', tone: 'warning' },
  declined: { label: 'Declined', meaning: 'The callee refused the call.', tone: 'warning' },
  invalid_destination: { label: 'Number not in service', meaning: 'The number leads to nobody.', tone: 'bad' },
  carrier_rejected: { label: 'Refused by carrier', meaning: 'The carrier would not take the call.', tone: 'bad' },
  carrier_unavailable: {
    label: 'Carrier unavailable',
    meaning: 'No carrier could take the call. It may work in a moment.',
    tone: 'bad',
  },
  connection_lost: {
    label: 'Connection lost',
    meaning: 'The carrier dropped the call after it was answered. The time until then was charged.',
    tone: 'bad',
  },
  queue_expired: { label: 'Waited too long', meaning: 'No line came free in time. It was never dialled.', tone: 'bad' },
  agent_error: { label: 'Agent failed', meaning: 'The agent could not go on.', tone: 'bad' },
  no_audio: { label: 'No sound', meaning: 'No sound came from the carrier.', tone: 'bad' },
  worker_lost: { label: 'Cut short', meaning: 'The platform lost the call. It may be placed again.', tone: 'bad' },
  reconciled_unknown: {
    label: 'Outcome not known',
    meaning: 'The platform lost sight of the call and closed it. It cost nothing.',
    tone: 'bad',
  },
};
