import { Stack, Table, Text } from '@mantine/core';
import type { CampaignBody } from '@outdial/contracts';
import { CampaignStateBadge } from '../../../shared/components/campaign-state-badge.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { formatCount, formatMoney } from '../../../shared/format/numbers.ts';
import { ProgressBar } from '../progress/progress-bar.tsx';
import { HOLD_LABELS } from '../words/hold-words.ts';
import { doneWords } from '../words/progress-words.ts';

interface CampaignTableProps {
  readonly accountId: string;
  readonly campaigns: readonly CampaignBody[];
  /** Undefined: not loaded yet. */
  readonly currency: string | undefined;
}

export function CampaignTable({ accountId, campaigns, currency }: CampaignTableProps) {
  return (
    <DataTable
      label="Campaigns"
      columns={[
        'Campaign',
        'State',
        'Progress',
        { label: 'Calls a minute', align: 'end' },
        'Held by',
        { label: 'Cost', align: 'end' },
      ]}
      minWidth={820}
    >
      {campaigns.map(({ id, name, state, progress }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <LinkText to="/accounts/$accountId/campaigns/$campaignId" params={{ accountId, campaignId: id }} fw={550}>
              {name}
            </LinkText>
          </Table.Td>
          <Table.Td>
            <CampaignStateBadge state={state} />
          </Table.Td>
          <Table.Td>
            <Stack gap={4} miw="9rem">
              <Text size="sm" className="tabular">
                {doneWords(progress)}
              </Text>
              <ProgressBar name={name} progress={progress} />
            </Stack>
          </Table.Td>
          <Table.Td ta="right" className="tabular">
            {state === 'running' ? formatCount(progress.calls_last_minute) : '–'}
          </Table.Td>
          <Table.Td>{progress.held_by === null ? '–' : HOLD_LABELS[progress.held_by]}</Table.Td>
          <Table.Td ta="right" className="tabular">
            {currency === undefined ? '' : formatMoney(progress.cost, currency)}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
