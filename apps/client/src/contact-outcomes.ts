import type { CampaignContactFilter } from '@outdial/sdk';

export type ContactOutcome = NonNullable<CampaignContactFilter['outcome']>;

/** In the types, an outcome that the service learns is one that is missing here. */
const KNOWN: Readonly<Record<ContactOutcome, true>> = {
  callee_hangup: true,
  agent_hangup: true,
  transferred: true,
  max_duration_reached: true,
  silence_timeout: true,
  voicemail_reached: true,
  call_screened: true,
  funds_exhausted: true,
  cancelled: true,
  hung_up_by_api: true,
  busy: true,
  no_answer: true,
  declined: true,
  invalid_destination: true,
  carrier_rejected: true,
  carrier_unavailable: true,
  connection_lost: true,
  queue_expired: true,
  schedule_expired: true,
  not_permitted: true,
  suppressed: true,
  outside_calling_window: true,
  frequency_capped: true,
  opted_out: true,
  agent_error: true,
  provider_unavailable: true,
  provider_rejected: true,
  no_audio: true,
  worker_lost: true,
  reconciled_unknown: true,
  not_dialled: true,
};

export const CONTACT_OUTCOMES: readonly string[] = Object.keys(KNOWN);

/** What `--outcome` may be. */
export function isContactOutcome(text: string | undefined): text is ContactOutcome {
  return text !== undefined && Object.hasOwn(KNOWN, text);
}
