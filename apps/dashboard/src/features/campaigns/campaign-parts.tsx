import { Grid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CampaignBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import type { CampaignKey } from '../../shared/account/campaigns.ts';
import { accountQuery, agentsQuery } from '../../shared/account/queries.ts';
import { ContactSection } from './contacts/contact-section.tsx';
import { HoldNotice } from './progress/hold-notice.tsx';
import { OpenCalls } from './progress/open-calls.tsx';
import { OutcomePanel } from './progress/outcome-panel.tsx';
import { ProgressPanel } from './progress/progress-panel.tsx';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { SettingsPanel } from './settings/settings-panel.tsx';
import { UploadSection } from './uploads/upload-section.tsx';

interface CampaignPartsProps {
  readonly id: CampaignKey;
  readonly campaign: CampaignBody;
}

export function CampaignParts({ id, campaign }: CampaignPartsProps) {
  const { accountId } = id;
  const currency = useQuery(accountQuery(accountId)).data?.wallet.currency;
  const agents = useQuery(agentsQuery(accountId)).data;
  const [isEditing, editing] = useDisclosure(false);
  const agent = agents?.find(({ id: agentId }) => agentId === campaign.agent_id);
  return (
    <>
      <HoldNotice accountId={accountId} campaign={campaign} onEdit={editing.open} />
      <ProgressPanel campaign={campaign} currency={currency} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7.5 }}>
          <Stack gap="xl">
            <OutcomePanel campaign={campaign} />
            <OpenCalls id={id} open={campaign.progress.open} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4.5 }}>
          <Stack gap="lg">
            <UploadSection id={id} campaign={campaign} agent={agent} />
            <SettingsPanel campaign={campaign} agents={agents} currency={currency} onEdit={editing.open} />
          </Stack>
        </Grid.Col>
      </Grid>
      <ContactSection id={id} campaign={campaign} />
      <SettingsDialog
        id={id}
        campaign={campaign}
        agents={agents}
        currency={currency}
        isOpen={isEditing}
        onClose={editing.close}
      />
    </>
  );
}
