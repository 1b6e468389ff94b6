import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CampaignKey } from '../../../shared/account/campaigns.ts';
import { CallStatusBadge } from '../../../shared/components/call-status-badge.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { RelativeTime } from '../../../shared/components/time-text.tsx';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { openCallsQuery } from '../queries.ts';
import { callsWord } from '../words/progress-words.ts';

interface OpenCallsProps {
  readonly id: CampaignKey;
  /** How many there are. */
  readonly open: number;
}

/** The calls of the campaign that go on now. */
export function OpenCalls({ id, open }: OpenCallsProps) {
  const { accountId, campaignId } = id;
  const calls = useQuery({ ...openCallsQuery(id), enabled: open > 0 });
  return (
    <Stack gap="sm" component="section" aria-label="Open calls">
      <Title order={2} size="h4">
        Open calls
      </Title>
      {open === 0 ? (
        <Text size="sm" c="dimmed">
          No call of this campaign is open.
        </Text>
      ) : (
        <Loaded query={calls} what="open calls" skeleton={<TableSkeleton rows={2} />}>
          {(list) => (
            <DataTable label="Open calls" columns={['Number', 'Status', 'Since']} minWidth={320}>
              {list.map(
                ({
                  id: callId,
                  callee_number: number,
                  status,
                  answered_at: answered,
                  started_at: started,
                  created_at: created,
                }) => (
                  <Table.Tr key={callId}>
                    <Table.Td className="tabular">
                      <LinkText to="/accounts/$accountId/calls/$callId" params={{ accountId, callId }}>
                        {formatPhoneNumber(number)}
                      </LinkText>
                    </Table.Td>
                    <Table.Td>
                      <CallStatusBadge status={status} />
                    </Table.Td>
                    <Table.Td>
                      <RelativeTime at={answered ?? started ?? created} />
                    </Table.Td>
                  </Table.Tr>
                ),
              )}
            </DataTable>
          )}
        </Loaded>
      )}
      <Text size="sm">
        <LinkText to="/accounts/$accountId/calls" params={{ accountId }} search={{ campaign_id: campaignId }} size="sm">
          View all calls of the campaign
        </LinkText>
        {open > 0 && `, ${callsWord(open)} open`}
      </Text>
    </Stack>
  );
}
