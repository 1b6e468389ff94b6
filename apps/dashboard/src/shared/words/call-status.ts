import type { AnsweredBy, CallStatus } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly tone: Tone;
}

export const CALL_STATUS_WORDS: Readonly<Record<CallStatus, Wording>> = {
  queued: { label: 'Queued', meaning: 'Accepted, and waiting to be dialled.', tone: 'neutral' },
  dialing: { label: 'Dialling', meaning: 'A worker is putting it through to a carrier.', tone: 'active' },
  ringing: { label: 'Ringing', meaning: 'The telephone rings.', tone: 'active' },
  in_progress: { label: 'In progress', meaning: 'Somebody picked up, and the agent talks.', tone: 'live' },
  ended: { label: 'Ended', meaning: 'The call is over.', tone: 'neutral' },
};

export const ANSWERED_BY_WORDS: Readonly<Record<AnsweredBy, string>> = {
  human: 'A person',
  voicemail: 'Voicemail',
  ivr: 'A menu',
  screening: 'Call screening',
  unknown: 'Not known',
};
