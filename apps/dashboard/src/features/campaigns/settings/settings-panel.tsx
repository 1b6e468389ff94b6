import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LinkText } from '../../../shared/components/links.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatMoney, formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { useAccount } from '../../../shared/session/account.ts';
import { hoursWords, paceWords, retryWords } from '../words/settings-words.ts';
import { maySet } from './settings-draft.ts';
import classes from './settings.module.css';

interface SettingsPanelProps {
  readonly campaign: CampaignBody;
  /** Undefined: not loaded yet. */
  readonly agents: readonly AgentSummaryBody[] | undefined;
  readonly currency: string | undefined;
  readonly onEdit: () => void;
}

export function SettingsPanel({ campaign, agents, currency, onEdit }: SettingsPanelProps) {
  const { account_id: accountId } = useAccount();
  const { agent_id: agentId, agent_version: version, starts_at: startsAt, ends_at: endsAt, budget } = campaign;
  const agent = agents?.find(({ id }) => id === agentId);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="settings">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4" id="settings">
            Settings
          </Title>
          {maySet(campaign.state, 'name') && (
            <Button size="xs" variant="default" leftSection={<IconPencil size={15} aria-hidden />} onClick={onEdit}>
              Edit settings
            </Button>
          )}
        </Group>
        <dl className={classes['facts']}>
          <Fact name="Agent">
            {agent === undefined ? (
              agents && 'Unavailable agent'
            ) : (
              <LinkText to="/accounts/$accountId/agents/$agentId" params={{ accountId, agentId }} size="sm">
                {agent.name}
              </LinkText>
            )}
            {version !== null && `, version ${version}`}
          </Fact>
          <Fact name="Call from">
            {campaign.from_number === null ? 'The account’s default' : formatPhoneNumber(campaign.from_number)}
          </Fact>
          <Fact name="Pace">{paceWords(campaign)}</Fact>
          <Fact name="Weight">{campaign.weight}</Fact>
          <Fact name="Hours">{hoursWords(campaign.window)}</Fact>
          {startsAt !== null && (
            <Fact name="Start">
              <DateTime at={startsAt} />
            </Fact>
          )}
          <Fact name="End">{endsAt === null ? 'With its last contact' : <DateTime at={endsAt} />}</Fact>
          <Fact name="Budget">
            {budget === null ? 'None' : currency === undefined ? '' : formatMoney(budget, currency)}
          </Fact>
          <Fact name="Retries">{retryWords(campaign.retry)}</Fact>
          <Fact name="Created">
            <DateTime at={campaign.created_at} />
          </Fact>
        </dl>
      </Stack>
    </Paper>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm">
        {children}
      </Text>
    </div>
  );
}
