import { Text } from '@mantine/core';
import type { AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { IconPencil } from '@tabler/icons-react';
import { LinkButton } from '../../../../shared/components/links.tsx';
import { formatCount, formatPhoneNumber } from '../../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../../shared/format/times.ts';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { hoursWords, paceWords, retryWords } from '../../words/settings-words.ts';
import classes from '../new-campaign.module.css';
import { formatBudget } from '../words/format-budget.ts';

interface SettingsListProps {
  readonly accountId: string;
  readonly campaign: CampaignBody;
  readonly agent: AgentSummaryBody | undefined;
  readonly currency: string;
}

/** What was chosen, to be read before the start. */
export function SettingsList({ accountId, campaign, agent, currency }: SettingsListProps) {
  return (
    <FieldGroup title="Settings" description="As they are saved.">
      <dl className={classes['settings']}>
        {settingsOf(campaign, agent, currency).map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm">
              {value}
            </Text>
          </div>
        ))}
      </dl>
      <LinkButton
        to="/accounts/$accountId/campaigns/new"
        params={{ accountId }}
        search={(search) => ({ ...search, step: 'settings' as const })}
        variant="default"
        size="xs"
        leftSection={<IconPencil size={14} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        Change settings
      </LinkButton>
    </FieldGroup>
  );
}

function settingsOf(
  campaign: CampaignBody,
  agent: AgentSummaryBody | undefined,
  currency: string,
): readonly (readonly [string, string])[] {
  const { budget, from_number: from, starts_at: start, ends_at: end } = campaign;
  return [
    ['Agent', agent === undefined ? 'Not available any more' : `${agent.name}, version ${formatCount(agent.version)}`],
    ['Calls from', from === null ? 'The default number' : formatPhoneNumber(from)],
    ['Begins', start === null ? 'When you start it' : formatDateTime(start)],
    ['Ends', end === null ? 'With its last contact' : formatDateTime(end)],
    ['Hours', hoursWords(campaign.window)],
    ['Pace', paceWords(campaign)],
    ['Weight', formatCount(campaign.weight)],
    ['Retries', retryWords(campaign.retry)],
    ['Budget', budget === null ? 'No limit' : formatBudget(budget, currency)],
  ];
}
