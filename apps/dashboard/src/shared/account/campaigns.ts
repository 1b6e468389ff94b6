import { campaignEnvelopeSchema, type CampaignBody, type CampaignState } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { accountPath, request } from '../api/request.ts';
import { accountKey } from './queries.ts';

/** The prefix of every query about campaigns: a change of one makes all of them stale. */
export const campaignsKey = (accountId: string) => [...accountKey(accountId), 'campaigns'] as const;

export interface CampaignKey {
  readonly accountId: string;
  readonly campaignId: string;
}

/** The prefix of every query about one campaign. */
export const campaignKey = ({ accountId, campaignId }: CampaignKey) =>
  [...campaignsKey(accountId), 'one', campaignId] as const;

export const campaignPath = ({ accountId, campaignId }: CampaignKey, ...parts: readonly string[]) =>
  accountPath(accountId, 'campaigns', campaignId, ...parts);

export const campaignQuery = (key: CampaignKey) =>
  queryOptions({
    queryKey: [...campaignKey(key), 'campaign'],
    queryFn: async ({ signal }): Promise<CampaignBody> =>
      (await request({ path: campaignPath(key), schema: campaignEnvelopeSchema, signal })).campaign,
  });

const OVER: readonly CampaignState[] = ['cancelled', 'completed'];

/** Whether nothing of it changes any more, except its open calls. */
export function isOver(state: CampaignState): boolean {
  return OVER.includes(state);
}
