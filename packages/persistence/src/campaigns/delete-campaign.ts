import type { CampaignId, CampaignState } from '@outdial/contracts';
import type { CampaignContext, WrongState } from './change-campaign.ts';

export type DeleteCampaignOutcome =
  | { readonly kind: 'deleted' }
  | WrongState
  | { readonly kind: 'upload_in_progress' }
  | { readonly kind: 'not_found' };

/** Of a draft, or of one that is over. Its calls stay; a sweep removes its contacts. */
export async function deleteCampaign(
  { database: { side }, actor, accountId }: CampaignContext,
  campaignId: CampaignId,
): Promise<DeleteCampaignOutcome> {
  const [row] = await side.$queryRaw<
    { outcome: Exclude<DeleteCampaignOutcome['kind'], 'not_found'>; state: CampaignState }[]
  >`SELECT outcome, state FROM delete_campaign(${accountId}::uuid, ${campaignId}::uuid, ${actor})`;
  if (!row) return { kind: 'not_found' };
  const { outcome: kind, state } = row;
  return kind === 'campaign_state' ? { kind, state } : { kind };
}
