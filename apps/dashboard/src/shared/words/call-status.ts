import type { AnsweredBy, CallStatus } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  /** What the status means, in one sentence. */
  readonly meaning: string;
  readonly tone: Tone;
}

export const CALL_STATUS_WORDS: Readonly<Record<CallStatus, Wording>> = {
  queued: { label: 'Queued', meaning: 'Accepted and waiting to be dialed.', tone: 'neutral' },
  dialing: { label: 'Dialing', meaning: 'A worker is placing the call with a carrier.', tone: 'active' },
  ringing: { label: 'Ringing', meaning: 'The phone is ringing.', tone: 'active' },
  in_progress: { label: 'In progress', meaning: 'The call was answered and the agent is talking.', tone: 'live' },
  ended: { label: 'Ended', meaning: 'The call is over.', tone: 'neutral' },
};

export const ANSWERED_BY_WORDS: Readonly<Record<AnsweredBy, string>> = {
  human: 'Person',
  voicemail: 'Voicemail',
  ivr: 'Phone menu',
  screening: 'Call screening',
  unknown: 'Unknown',
};
