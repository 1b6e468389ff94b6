import { CAMPAIGN_LIMITS, type CampaignId, type CampaignState, type E164 } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { storableJson } from '../sql/storable-json.ts';
import type { CampaignContext, WrongState } from './change-campaign.ts';

export interface NewContact {
  readonly number: E164;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timeZone: string | null;
}

export interface AddedUpload {
  readonly number: number;
  readonly rows: number;
  readonly accepted: number;
  readonly atMs: number;
}

export type AddContactsOutcome =
  | { readonly kind: 'added'; readonly upload: AddedUpload }
  | WrongState
  | { readonly kind: 'upload_in_progress' }
  | { readonly kind: 'too_many_contacts'; readonly limit: number }
  | { readonly kind: 'not_found' };

interface Row {
  readonly outcome: Exclude<AddContactsOutcome['kind'], 'not_found'>;
  readonly state: CampaignState;
  readonly number: number;
  readonly accepted: number;
  readonly atMs: number | null;
}

/** One upload, ready at once. Its lines count from 1. A number that the campaign has already is a duplicate. */
export async function addContacts(
  { database: { side }, actor, accountId }: CampaignContext,
  campaignId: CampaignId,
  contacts: readonly NewContact[],
): Promise<AddContactsOutcome> {
  const batch = contacts.map(({ number, variables, metadata, timeZone }, index) => {
    return { line: index + 1, number: number.slice(1), variables, metadata, time_zone: timeZone };
  });
  const [row] = await side.$queryRaw<Row[]>`
    SELECT outcome, state, number, accepted, epoch_ms(at) AS "atMs" FROM add_campaign_contacts(
      ${accountId}::uuid, ${campaignId}::uuid, ${actor}, ${storableJson(batch)}::json, ${CAMPAIGN_LIMITS.contacts}::int)`;
  if (!row) return { kind: 'not_found' };
  switch (row.outcome) {
    case 'added':
      return {
        kind: 'added',
        upload: { number: row.number, rows: contacts.length, accepted: row.accepted, atMs: row.atMs ?? 0 },
      };
    case 'campaign_state':
      return { kind: row.outcome, state: row.state };
    case 'upload_in_progress':
      return { kind: row.outcome };
    case 'too_many_contacts':
      return { kind: row.outcome, limit: CAMPAIGN_LIMITS.contacts };
    default:
      return unreachable(row.outcome);
  }
}
