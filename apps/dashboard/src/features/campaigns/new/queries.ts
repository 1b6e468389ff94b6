import {
  campaignEnvelopeSchema,
  campaignUploadEnvelopeSchema,
  type CampaignBody,
  type CreateCampaignBody,
  type UpdateCampaignBody,
} from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { campaignPath, campaignQuery, campaignsKey } from '../../../shared/account/campaigns.ts';
import { accountPath, queryString, request } from '../../../shared/api/request.ts';
import { uploadFile } from '../../../shared/api/upload.ts';

/** Lists of campaigns are read again after it. */
function useDraftMutation<Variables>(
  accountId: string,
  mutationFn: (variables: Variables) => Promise<{ readonly campaign: CampaignBody }>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (variables: Variables) => (await mutationFn(variables)).campaign,
    onSuccess: async (campaign) => {
      await queryClient.invalidateQueries({ queryKey: campaignsKey(accountId) });
      queryClient.setQueryData(campaignQuery({ accountId, campaignId: campaign.id }).queryKey, campaign);
    },
  });
}

export const useCreateCampaign = (accountId: string) =>
  useDraftMutation(accountId, (body: CreateCampaignBody) =>
    request({ method: 'POST', path: accountPath(accountId, 'campaigns'), body, schema: campaignEnvelopeSchema }),
  );

interface CampaignChange {
  readonly campaignId: string;
  readonly change: UpdateCampaignBody;
}

export const useUpdateCampaign = (accountId: string) =>
  useDraftMutation(accountId, ({ campaignId, change }: CampaignChange) =>
    request({
      method: 'PATCH',
      path: campaignPath({ accountId, campaignId }),
      body: change,
      schema: campaignEnvelopeSchema,
    }),
  );

export const useStartCampaign = (accountId: string) =>
  useDraftMutation(accountId, (campaignId: string) =>
    request({ method: 'POST', path: campaignPath({ accountId, campaignId }, 'start'), schema: campaignEnvelopeSchema }),
  );

interface ContactsFile {
  readonly campaignId: string;
  readonly file: File;
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

const MAX_NAME = 200;

export async function sendContacts(accountId: string, { campaignId, file, onProgress, signal }: ContactsFile) {
  const path = campaignPath({ accountId, campaignId }, 'contacts');
  const { upload } = await uploadFile({
    path: `${path}${queryString({ file_name: file.name.slice(0, MAX_NAME) })}`,
    file,
    mediaType: 'text/csv',
    schema: campaignUploadEnvelopeSchema,
    onProgress,
    signal,
  });
  return upload;
}
