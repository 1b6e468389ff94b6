import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import type { AgentSummaryBody } from '@outdial/contracts';
import { createCampaignSchema } from '@outdial/contracts';
import { LinkButton } from '../../../../shared/components/links.tsx';
import { useAccount } from '../../../../shared/session/account.ts';
import { campaignErrors } from '../draft/campaign-errors.ts';
import { settingsOf } from '../draft/campaign-draft.ts';
import { PlanText } from '../plan-text.tsx';
import { useNow } from '../../../../shared/hooks/use-now.ts';
import classes from '../new-campaign.module.css';
import { useCampaignFormContext } from './form-context.ts';

interface SetupAsideProps {
  readonly agents: readonly AgentSummaryBody[];
  readonly currency: string;
  /** The draft that is being changed. Null: it is new. */
  readonly campaignId: string | null;
  /** Of that draft. Null: the file has not come. */
  readonly contacts: number | null;
  readonly isSaving: boolean;
  /** Of the whole form. */
  readonly errorCount: number;
}

/** What the campaign would do, and the button that goes on. */
export function SetupAside({ agents, currency, campaignId, contacts, isSaving, errorCount }: SetupAsideProps) {
  const { account_id: accountId } = useAccount();
  const isNew = campaignId === null;
  return (
    <Paper withBorder radius="lg" p="lg" className={classes['aside'] ?? ''}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          What will happen
        </Title>
        <PlannedText agents={agents} currency={currency} contacts={contacts} />
        <Button type="submit" loading={isSaving} fullWidth>
          {isNew ? 'Create draft and add contacts' : 'Save settings'}
        </Button>
        {!isNew && (
          <LinkButton
            to="/accounts/$accountId/campaigns/new"
            params={{ accountId }}
            search={{ campaign: campaignId }}
            variant="default"
            fullWidth
          >
            Cancel
          </LinkButton>
        )}
        <Text size="xs" c={errorCount > 0 ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
          {noteOf(errorCount, isNew)}
        </Text>
      </Stack>
    </Paper>
  );
}

function noteOf(errorCount: number, isNew: boolean): string {
  if (errorCount > 0) return errorCount === 1 ? 'Fix 1 field' : `Fix ${errorCount} fields`;
  return isNew ? 'Nothing is dialed before you start it, on the next page.' : 'Nothing is dialed before you start it.';
}

/** Nothing while the form is incomplete. */
function PlannedText({ agents, currency, contacts }: Pick<SetupAsideProps, 'agents' | 'currency' | 'contacts'>) {
  const { values } = useCampaignFormContext();
  const nowMs = useNow();
  const agent = agents.find(({ id }) => id === values.agent_id);
  // Without a name it would do the same.
  const named = { ...values, name: values.name.trim() === '' ? '-' : values.name };
  const { data: settings } = createCampaignSchema.safeParse(settingsOf(named));
  if (agent === undefined || settings === undefined || Object.keys(campaignErrors(named, nowMs)).length > 0) {
    return (
      <Text size="sm" c="dimmed">
        {agent === undefined ? 'Choose an agent' : 'Fix the fields'} to read what the campaign will do.
      </Text>
    );
  }
  return <PlanText settings={settings} agent={agent} contacts={contacts} currency={currency} nowMs={nowMs} />;
}
