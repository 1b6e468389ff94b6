import { SimpleGrid, Stack, Table } from '@mantine/core';
import type { OperationsBody } from '@outdial/contracts';
import { DataTable } from '../../shared/components/data-table.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { useNow } from '../../shared/hooks/use-now.ts';
import { Gauge } from './gauge.tsx';
import { campaignCounts, oldestWords } from './schedule-words.ts';
import { Section } from './section.tsx';

/** What is scheduled and what is late, by account, and the campaigns that are under way. Nothing until it is read. */
export function SchedulePanel({ schedule }: Pick<OperationsBody, 'schedule'>) {
  const nowMs = useNow();
  if (schedule === null) return null;
  const { scheduled, due, late, oldest_due_at: oldest, accounts } = schedule;
  const { total, words } = campaignCounts(schedule);
  return (
    <Section
      title="Scheduled calls and campaigns"
      hint="Due calls wait for a slot, for funds, or for their turn. Late: due for more than five seconds."
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <Gauge label="Scheduled calls" value={formatCount(scheduled)} share={null} hint={`${formatCount(due)} due`} />
          <Gauge label="Late calls" value={formatCount(late)} share={null} hint={oldestWords(oldest, nowMs)} />
          <Gauge label="Campaigns under way" value={formatCount(total)} share={null} hint={words} />
        </SimpleGrid>
        {accounts.length > 0 && (
          <DataTable
            label="Scheduled calls by account"
            columns={[
              'Account',
              { label: 'Scheduled', align: 'end' },
              { label: 'Due', align: 'end' },
              { label: 'Late', align: 'end' },
              'Oldest due',
            ]}
          >
            {accounts.map((account) => (
              <Table.Tr key={account.account_id}>
                <Table.Td>
                  <LinkText
                    to="/operations/accounts/$operatedId"
                    params={{ operatedId: account.account_id }}
                    size="sm"
                    fw={550}
                  >
                    {account.name}
                  </LinkText>
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {formatCount(account.scheduled)}
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {formatCount(account.due)}
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {formatCount(account.late)}
                </Table.Td>
                <Table.Td>{oldestWords(account.oldest_due_at, nowMs)}</Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        )}
      </Stack>
    </Section>
  );
}
