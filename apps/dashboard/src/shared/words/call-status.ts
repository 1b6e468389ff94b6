import type { AnsweredBy, CallStatus, WaitingFor } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  /** What the status means, in one sentence. */
  readonly meaning: string;
  readonly tone: Tone;
}

export const CALL_STATUS_WORDS: Readonly<Record<CallStatus, Wording>> = {
  scheduled: { label: 'Scheduled', meaning: 'To be dialed later, or once a slot and funds are free.', tone: 'neutral' },
  queued: { label: 'Queued', meaning: 'Accepted and waiting to be dialed.', tone: 'neutral' },
  dialing: { label: 'Dialing', meaning: 'A worker is placing the call with a carrier.', tone: 'active' },
  ringing: { label: 'Ringing', meaning: 'The phone is ringing.', tone: 'active' },
  in_progress: { label: 'In progress', meaning: 'The call was answered and the agent is talking.', tone: 'live' },
  ended: { label: 'Ended', meaning: 'The call is over.', tone: 'neutral' },
};

/** What a scheduled call waits for, after "waiting for". */
export const WAITING_FOR_WORDS: Readonly<Record<WaitingFor, string>> = {
  time: 'its time',
  capacity: 'a free slot',
  funds: 'funds',
  window: 'calling hours',
  cap: 'the number to be callable again',
  campaign: 'its campaign to go on',
  pace: 'the pace of its campaign',
  provider: 'a line of the model’s provider',
};

export const ANSWERED_BY_WORDS: Readonly<Record<AnsweredBy, string>> = {
  human: 'Person',
  voicemail: 'Voicemail',
  ivr: 'Phone menu',
  screening: 'Call screening',
  unknown: 'Unknown',
};
