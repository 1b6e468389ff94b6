import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { campaignQuery } from '../../../shared/account/campaigns.ts';
import { useAccount } from '../../../shared/session/account.ts';

interface CampaignFilterProps {
  readonly campaignId: string;
  readonly onClear: () => void;
}

/** The campaign whose calls are listed. A campaign's page leads here. */
export function CampaignFilter({ campaignId, onClear }: CampaignFilterProps) {
  const { account_id: accountId } = useAccount();
  const name = useQuery(campaignQuery({ accountId, campaignId })).data?.name;
  const words = name === undefined ? 'One campaign' : `Campaign: ${name}`;
  return (
    <Button
      variant="light"
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onClear}
      aria-label={`${words}. Show calls of all campaigns`}
      maw="16rem"
    >
      {words}
    </Button>
  );
}
