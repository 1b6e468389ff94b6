import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { campaignIdSchema, type CampaignBody } from '@outdial/contracts';
import { IconArrowLeft, IconMapQuestion } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { CampaignKey } from '../../shared/account/campaigns.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { CampaignStateBadge } from '../../shared/components/campaign-state-badge.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton, LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { formatDateTime } from '../../shared/format/times.ts';
import { useAccount } from '../../shared/session/account.ts';
import { CAMPAIGN_STATE_WORDS } from '../../shared/words/campaign-state.ts';
import { CampaignParts } from './campaign-parts.tsx';
import { useCampaign } from './queries.ts';
import { SteerButtons } from './steer/steer-buttons.tsx';
import { stateSentence } from './words/state-words.ts';

export function CampaignPage() {
  const { account_id: accountId } = useAccount();
  const { campaignId } = useParams({ from: '/signed-in/accounts/$accountId/campaigns/$campaignId' });
  // Not a valid id: skip the request.
  if (!campaignIdSchema.safeParse(campaignId).success) return <CampaignNotFound accountId={accountId} />;
  return <ExistingCampaign key={campaignId} id={{ accountId, campaignId }} />;
}

function ExistingCampaign({ id }: { readonly id: CampaignKey }) {
  const campaign = useCampaign(id);
  const { data, error } = campaign;
  if (error instanceof ApiError && error.status === 404) return <CampaignNotFound accountId={id.accountId} />;
  return (
    <Stack gap="xs">
      <LinkText to="/accounts/$accountId/campaigns" params={{ accountId: id.accountId }} size="sm">
        <Group gap={4} component="span" w="fit-content">
          <IconArrowLeft size={14} aria-hidden />
          Campaigns
        </Group>
      </LinkText>
      <Page
        title={data?.name ?? 'Campaign'}
        description={data && <StatusLine campaign={data} />}
        actions={data && <SteerButtons id={id} campaign={data} />}
      >
        <Loaded query={campaign} what="the campaign" skeleton={<PanelSkeleton lines={8} />}>
          {(loaded) => <CampaignParts id={id} campaign={loaded} />}
        </Loaded>
      </Page>
    </Stack>
  );
}

/** The campaign's state in a word and a sentence. Screen readers announce changes. */
function StatusLine({ campaign }: { readonly campaign: CampaignBody }) {
  const { label } = CAMPAIGN_STATE_WORDS[campaign.state];
  const words = stateSentence(campaign, formatDateTime);
  return (
    <Group gap="sm" component="span" mt={4}>
      <CampaignStateBadge state={campaign.state} />
      <Text span size="sm">
        {words}
      </Text>
      <VisuallyHidden aria-live="polite">{`${label}. ${words}`}</VisuallyHidden>
    </Group>
  );
}

function CampaignNotFound({ accountId }: { readonly accountId: string }) {
  return (
    <Page title="Campaign not found">
      <EmptyState
        icon={IconMapQuestion}
        title="We could not find this campaign"
        action={
          <LinkButton to="/accounts/$accountId/campaigns" params={{ accountId }}>
            Go to campaigns
          </LinkButton>
        }
      >
        Check the address. The campaign may have been deleted, or belong to another account.
      </EmptyState>
    </Page>
  );
}
