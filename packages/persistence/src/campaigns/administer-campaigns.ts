import type { CampaignRecord } from '@outdial/calls';
import type { AccountId, CallId, CampaignId } from '@outdial/contracts';
import { changeCampaignState, type CampaignOutcome, type CampaignWish } from './change-campaign.ts';
import { findCampaign, listCampaigns, openCallsOf } from './read-campaigns.ts';
import type { AdministrationContext } from '../administration/audit.ts';

/** The campaigns of an account, which an operator steers and does not create. */
export interface CampaignAdministration {
  /** Newest first. */
  list(limit: number): Promise<readonly CampaignRecord[]>;
  /** Null if the account has no such campaign. */
  find(id: CampaignId): Promise<CampaignRecord | null>;
  /** Idempotent: what is so already stays as it is. */
  changeState(id: CampaignId, wish: Exclude<CampaignWish, { readonly kind: 'start' }>): Promise<CampaignOutcome>;
  /** Calls that hold a slot. Of a campaign that is the account's own: see `find`. */
  openCalls(id: CampaignId): Promise<readonly CallId[]>;
}

/** Changes are audited as the actor's. */
export function administerCampaigns(
  context: AdministrationContext & { readonly accountId: AccountId },
): CampaignAdministration {
  const { database, accountId } = context;
  return {
    list: async (limit) => (await listCampaigns(database, accountId, { after: null, limit })).campaigns,
    find: (id) => findCampaign(database, accountId, id),
    changeState: (id, wish) => changeCampaignState(context, id, wish),
    openCalls: (id) => openCallsOf(database, id),
  };
}
