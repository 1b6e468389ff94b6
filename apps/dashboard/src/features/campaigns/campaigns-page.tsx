import { Button, Center, Stack } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { CampaignTable } from './list/campaign-table.tsx';
import { campaignListQuery } from './queries.ts';

export function CampaignsPage() {
  const { account_id: accountId } = useAccount();
  const campaigns = useInfiniteQuery(campaignListQuery(accountId));
  const currency = useQuery(accountQuery(accountId)).data?.wallet.currency;
  return (
    <Page
      title="Campaigns"
      description="Many calls of one kind: one to each contact of a list, at your pace and in your hours."
      actions={<NewCampaign accountId={accountId} />}
    >
      <Stack gap="md">
        <Loaded query={campaigns} what="campaigns" skeleton={<TableSkeleton />}>
          {({ pages }) => {
            const list = pages.flatMap((page) => page.campaigns);
            return list.length === 0 ? (
              <NoCampaigns />
            ) : (
              <CampaignTable accountId={accountId} campaigns={list} currency={currency} />
            );
          }}
        </Loaded>
        {campaigns.hasNextPage && (
          <Center>
            <Button
              variant="default"
              loading={campaigns.isFetchingNextPage}
              onClick={() => void campaigns.fetchNextPage()}
            >
              Load more
            </Button>
          </Center>
        )}
      </Stack>
    </Page>
  );
}

function NewCampaign({ accountId }: { readonly accountId: string }) {
  return (
    <LinkButton
      to="/accounts/$accountId/campaigns/new"
      params={{ accountId }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New campaign
    </LinkButton>
  );
}

function NoCampaigns() {
  return (
    <EmptyState icon={IconSpeakerphone} title="No campaigns yet">
      A campaign calls every contact of a file with one of your agents. It can try again if a contact is not reached,
      and it shows the result of each. It dials after you start it, and you can pause it at any time.
    </EmptyState>
  );
}
