import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import { campaignKey, campaignPath, campaignsKey, type CampaignKey } from '../../../shared/account/campaigns.ts';
import { request } from '../../../shared/api/request.ts';
import { notifyDone } from '../../../shared/components/notify.tsx';

const NO_CONTENT = z.object({});

/** Deletes the campaign, then leaves its page: nothing reads it again before that. */
export function useDeleteCampaign(key: CampaignKey, done: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => request({ method: 'DELETE', path: campaignPath(key), schema: NO_CONTENT }),
    onSuccess: async () => {
      notifyDone(done);
      await navigate({ to: '/accounts/$accountId/campaigns', params: { accountId: key.accountId } });
      queryClient.removeQueries({ queryKey: campaignKey(key) });
      await queryClient.invalidateQueries({ queryKey: campaignsKey(key.accountId) });
    },
    // Another member may have steered it.
    onError: () => queryClient.invalidateQueries({ queryKey: campaignKey(key) }),
  });
}
