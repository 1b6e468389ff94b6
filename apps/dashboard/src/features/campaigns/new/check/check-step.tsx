import { Grid, Stack } from '@mantine/core';
import type { AccountBody, AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { LeaveGuard } from '../../../../shared/drafts/leave-guard.tsx';
import type { ContactsDraft } from '../draft/contacts-draft.ts';
import { uploadQuery } from '../../queries.ts';
import { ContactsPanel } from './contacts-panel.tsx';
import { SettingsList } from './settings-list.tsx';
import { StartAside } from './start-aside.tsx';
import type { Upload } from './use-upload.ts';

interface CheckStepProps {
  readonly account: AccountBody;
  readonly agents: readonly AgentSummaryBody[];
  readonly campaign: CampaignBody;
  readonly upload: Upload;
  /** The number of the upload whose report is shown. */
  readonly reported: string | undefined;
  readonly contacts: ContactsDraft;
  readonly chosen: File | null;
  readonly onChoose: (file: File | null) => void;
  readonly onStarted: (campaign: CampaignBody) => void;
}

const LEAVE_UPLOAD = {
  title: 'Stop the upload?',
  text: 'The file is still being sent. Nothing of it is added unless all of it comes.',
  stay: 'Keep sending',
  leave: 'Stop upload and leave',
};

/** The last look at a draft: its contacts, its settings and what will happen. */
export function CheckStep(props: CheckStepProps) {
  const { account, agents, campaign, upload, reported, contacts, chosen, onChoose, onStarted } = props;
  const agent = agents.find(({ id }) => id === campaign.agent_id);
  const isSending = upload.state.kind === 'sending';
  const key = { accountId: account.id, campaignId: campaign.id };
  const { data: report } = useQuery(uploadQuery(key, reported === undefined ? null : Number(reported)));
  return (
    <>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <ContactsPanel
              accountId={account.id}
              campaign={campaign}
              agent={agent}
              upload={upload}
              report={report}
              contacts={contacts}
              chosen={chosen}
              onChoose={onChoose}
            />
            <SettingsList accountId={account.id} campaign={campaign} agent={agent} currency={account.wallet.currency} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <StartAside account={account} campaign={campaign} agent={agent} isSending={isSending} onStarted={onStarted} />
        </Grid.Col>
      </Grid>
      <LeaveGuard isDirty={() => isSending} onLeave={upload.stop} words={LEAVE_UPLOAD} />
    </>
  );
}
