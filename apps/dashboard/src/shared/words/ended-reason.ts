import type { EndedReason } from '@outdial/contracts';
import type { Tone } from './tone.ts';

interface Wording {
  readonly label: string;
  /** What happened, in one sentence. */
  readonly meaning: string;
  readonly tone: Tone;
}

export const ENDED_REASON_WORDS: Readonly<Record<EndedReason, Wording>> = {
  callee_hangup: { label: 'Callee hung up', meaning: 'The callee ended the conversation.', tone: 'good' },
  agent_hangup: { label: 'Agent hung up', meaning: 'The agent finished and hung up.', tone: 'good' },
  transferred: {
    label: 'Transferred',
    meaning: 'The agent connected the callee with a destination of its settings.',
    tone: 'good',
  },
  max_duration_reached: {
    label: 'Max duration reached',
    meaning: 'The call reached its maximum duration.',
    tone: 'warning',
  },
  silence_timeout: { label: 'Silence', meaning: 'The callee answered but said nothing.', tone: 'warning' },
  voicemail_reached: { label: 'Voicemail', meaning: 'Voicemail answered.', tone: 'warning' },
  call_screened: {
    label: 'Screened',
    meaning: 'A call screener answered and did not connect the call.',
    tone: 'warning',
  },
  funds_exhausted: { label: 'Out of funds', meaning: 'The balance could not cover more of the call.', tone: 'bad' },
  cancelled: { label: 'Cancelled', meaning: 'The call was ended before it was dialed.', tone: 'neutral' },
  hung_up_by_api: {
    label: 'Hung up by you',
    meaning: 'The call was ended in the dashboard or through the API.',
    tone: 'neutral',
  },
  busy: { label: 'Busy', meaning: 'The callee was on another call.', tone: 'warning' },
  no_answer: { label: 'No answer', meaning: 'The callee did not answer.', tone: 'warning' },
  declined: { label: 'Declined', meaning: 'The callee declined the call.', tone: 'warning' },
  invalid_destination: {
    label: 'Number not in service',
    meaning: 'The number does not exist or is not in service.',
    tone: 'bad',
  },
  carrier_rejected: { label: 'Rejected by carrier', meaning: 'The carrier rejected the call.', tone: 'bad' },
  carrier_unavailable: {
    label: 'Carrier unavailable',
    meaning: 'No carrier could take the call. Try again in a moment.',
    tone: 'bad',
  },
  connection_lost: {
    label: 'Connection lost',
    meaning: 'The carrier dropped the call after it was answered. The time until then was charged.',
    tone: 'bad',
  },
  queue_expired: {
    label: 'Expired in queue',
    meaning: 'No channel was free in time, so the call was never dialed.',
    tone: 'bad',
  },
  schedule_expired: {
    label: 'Schedule expired',
    meaning: 'The call could not be dialed in its time. Place it again with a later time to give up.',
    tone: 'bad',
  },
  not_permitted: {
    label: 'Not permitted',
    meaning: 'When its time came, your account could no longer place this call, so it was never dialed.',
    tone: 'bad',
  },
  suppressed: {
    label: 'On a do-not-call list',
    meaning: 'The number is on a do-not-call list, so the call was never dialed.',
    tone: 'warning',
  },
  outside_calling_window: {
    label: 'Outside calling hours',
    meaning: 'The calling policy closed the callee’s hours before the call was dialed.',
    tone: 'warning',
  },
  frequency_capped: {
    label: 'Called too often',
    meaning: 'The number was called as often as the calling policy allows, so this call was never dialed.',
    tone: 'warning',
  },
  opted_out: {
    label: 'Opted out',
    meaning: 'The callee asked for no more calls. Their number is on your do-not-call list.',
    tone: 'warning',
  },
  agent_error: { label: 'Agent failed', meaning: 'The agent failed during the call.', tone: 'bad' },
  provider_unavailable: {
    label: 'Provider unavailable',
    meaning: 'A provider of the agent’s models did not respond. You can place the call again.',
    tone: 'bad',
  },
  provider_rejected: {
    label: 'Provider rejected',
    meaning: 'A provider of the agent’s models rejected the credential, the model or its settings.',
    tone: 'bad',
  },
  no_audio: { label: 'No audio', meaning: 'The carrier sent no audio.', tone: 'bad' },
  worker_lost: {
    label: 'Worker lost',
    meaning: 'The worker that handled the call stopped. You can place the call again.',
    tone: 'bad',
  },
  reconciled_unknown: {
    label: 'Outcome unknown',
    meaning: 'The platform lost track of the call and closed it. It was not charged.',
    tone: 'bad',
  },
};
