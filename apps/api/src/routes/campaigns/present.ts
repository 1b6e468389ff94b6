import type { CampaignContactBody, CampaignState, CampaignUploadBody } from '@outdial/contracts';
import type { AddContactsOutcome, ContactRecord } from '@outdial/persistence';
import { OVER_CAMPAIGNS, timestamp } from '@outdial/presentation';

export function presentContact(contact: ContactRecord, state: CampaignState): CampaignContactBody {
  const { upload, line, number, attempts, callId, callStatus, endedReason } = contact;
  const outcome = callId === null && OVER_CAMPAIGNS.has(state) ? 'not_dialled' : endedReason;
  return { upload, line, number, attempts, call_id: callId, call_status: callStatus, outcome };
}

type Added = Extract<AddContactsOutcome, { readonly kind: 'added' }>['upload'];

export function presentAdded({ number, rows, accepted, atMs }: Added): CampaignUploadBody {
  return {
    number,
    state: 'ready',
    file_name: null,
    rows,
    accepted,
    duplicates: rows - accepted,
    invalid: 0,
    started_at: timestamp(atMs),
    ended_at: timestamp(atMs),
    error: null,
  };
}
