import { IconRobotFace } from '@tabler/icons-react';
import {
  createCampaignSchema,
  updateCampaignSchema,
  type AccountBody,
  type AgentSummaryBody,
  type CampaignBody,
  type PhoneNumberBody,
} from '@outdial/contracts';
import { clockZoneNamed } from '@outdial/numbering';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { campaignQuery } from '../../../shared/account/campaigns.ts';
import { accountQuery, agentsQuery, phoneNumbersQuery } from '../../../shared/account/queries.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import { useAccount } from '../../../shared/session/account.ts';
import { CheckStep } from './check/check-step.tsx';
import { useUpload } from './check/use-upload.ts';
import { draftOf, newDraft } from './draft/campaign-draft.ts';
import { contactsDraftOf, type ContactsDraft } from './draft/contacts-draft.ts';
import { useCreateCampaign, useUpdateCampaign } from './queries.ts';
import type { NewCampaignSearch } from './search.ts';
import { SetupForm, type FilledIn } from './setup/setup-form.tsx';

export function NewCampaignPage() {
  const { campaign, step } = useSearch({ from: '/signed-in/accounts/$accountId/campaigns/new' });
  const isCheck = campaign !== undefined && step === undefined;
  return (
    <Page
      title={isCheck ? 'Check and start' : campaign === undefined ? 'New campaign' : 'Campaign settings'}
      description={
        isCheck
          ? 'The campaign is a draft: nothing is dialed before you start it.'
          : 'Calls many numbers with one agent. First a draft, which you check and then start.'
      }
    >
      <Loading />
    </Page>
  );
}

/** The wizard, once everything it needs is loaded. */
function Loading() {
  const { account_id: accountId } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/campaigns/new' });
  const agents = useQuery(agentsQuery(accountId));
  const numbers = useQuery(phoneNumbersQuery(accountId));
  const account = useQuery(accountQuery(accountId));
  const campaign = useQuery({
    ...campaignQuery({ accountId, campaignId: search.campaign ?? '' }),
    enabled: search.campaign !== undefined,
  });

  const failed = [agents, numbers, account, campaign].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return <ErrorNotice title="Could not load the form" error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (!agents.data || !numbers.data || !account.data) return <PanelSkeleton />;
  if (agents.data.every(({ problem }) => problem !== null)) return <NoAgents accountId={accountId} />;
  const outbound = numbers.data.filter(({ active, outbound_enabled: isEnabled }) => active && isEnabled);
  return (
    <Wizard
      account={account.data}
      agents={agents.data}
      numbers={outbound}
      search={search}
      campaign={search.campaign === undefined ? null : (campaign.data ?? null)}
    />
  );
}

interface WizardProps {
  readonly account: AccountBody;
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
  readonly search: NewCampaignSearch;
  /** The draft, once it is there and loaded. */
  readonly campaign: CampaignBody | null;
}

/** Holds what both steps share: the file and its way to the service. */
function Wizard({ account, agents, numbers, search, campaign }: WizardProps) {
  const accountId = account.id;
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<File | null>(null);
  /** As they were filled in: pasted lines are not in the campaign. */
  const [filledIn, setFilledIn] = useState<ContactsDraft | null>(null);
  const create = useCreateCampaign(accountId);
  const update = useUpdateCampaign(accountId);
  const openCampaign = (campaignId: string) =>
    void navigate({
      to: '/accounts/$accountId/campaigns/$campaignId',
      params: { accountId, campaignId },
      replace: true,
    });
  const goTo = (next: NewCampaignSearch) =>
    navigate({ to: '/accounts/$accountId/campaigns/new', params: { accountId }, search: next, replace: true });
  const upload = useUpload(accountId, (campaignId, report) => {
    setChosen(null);
    void goTo({ campaign: campaignId, upload: String(report.number) });
  });
  const zone = useMemo(userZone, []);
  const start = useMemo(
    () => (campaign === null ? newDraft(agents, zone) : draftOf(campaign, zone)),
    [campaign, agents, zone],
  );
  // Only a draft can be changed here. A campaign that runs has its own page.
  const isStarted = campaign !== null && campaign.state !== 'draft';
  const leave = useEffectEvent(() => {
    if (isStarted) openCampaign(campaign.id);
  });
  useEffect(() => leave(), [isStarted]);

  async function createDraft({ settings, contacts, file }: FilledIn): Promise<void> {
    const { id } = await create.mutateAsync(createCampaignSchema.parse(settings));
    setFilledIn(contacts);
    await goTo({ campaign: id });
    if (file !== null) void upload.start(id, file);
  }

  async function saveDraft(campaignId: string, { settings }: FilledIn): Promise<void> {
    // Which column is what is chosen with the contacts.
    const { columns: _, default_country: __, ...change } = settings;
    await update.mutateAsync({ campaignId, change: updateCampaignSchema.parse(change) });
    await goTo({ campaign: search.campaign, upload: search.upload });
  }

  if (isStarted || (search.campaign !== undefined && campaign === null)) return <PanelSkeleton />;
  if (campaign === null || search.step === 'settings') {
    return (
      <SetupForm
        key={campaign?.id ?? 'new'}
        agents={agents}
        numbers={numbers}
        account={account}
        campaign={campaign}
        start={start}
        chosen={chosen}
        onChoose={setChosen}
        save={(filled) => (campaign === null ? createDraft(filled) : saveDraft(campaign.id, filled))}
      />
    );
  }
  return (
    <CheckStep
      account={account}
      agents={agents}
      campaign={campaign}
      upload={upload}
      reported={search.upload}
      contacts={filledIn ?? contactsDraftOf(campaign.columns, campaign.default_country)}
      chosen={chosen}
      onChoose={setChosen}
      onStarted={({ id }) => openCampaign(id)}
    />
  );
}

/** Empty for one that the database of zones does not know: a campaign cannot have its hours. */
function userZone(): string {
  return clockZoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? '';
}

function NoAgents({ accountId }: { readonly accountId: string }) {
  return (
    <EmptyState
      icon={IconRobotFace}
      title="No agents available"
      action={
        <LinkButton to="/accounts/$accountId/agents/new" params={{ accountId }}>
          Create agent
        </LinkButton>
      }
    >
      An agent conducts the calls of a campaign. Create one, then come back.
    </EmptyState>
  );
}
