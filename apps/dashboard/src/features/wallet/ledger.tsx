import { Button, Center, Group, Stack, Table, Title } from '@mantine/core';
import type { LedgerEntryBody } from '@outdial/contracts';
import { IconArrowDownLeft, IconArrowUpRight, IconReceipt } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { formatMoney, formatPhoneNumber, formatSignedMoney, formatSpan } from '../../shared/format/numbers.ts';
import { ledgerQuery } from './queries.ts';

const LEDGER_COLUMNS = [
  'Type',
  'Time',
  'Number',
  'Billed time',
  { label: 'Amount', align: 'end' },
  { label: 'Balance', align: 'end' },
] as const;

interface LedgerProps {
  readonly accountId: string;
  readonly currency: string;
}

export function Ledger({ accountId, currency }: LedgerProps) {
  const ledger = useInfiniteQuery(ledgerQuery(accountId));
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Ledger
      </Title>
      <Loaded query={ledger} what="the ledger" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) return <NoEntries />;
          return (
            <DataTable label="Ledger" columns={LEDGER_COLUMNS} minWidth={760}>
              {entries.map((entry) => (
                <EntryRow key={entry.id} accountId={accountId} entry={entry} currency={currency} />
              ))}
            </DataTable>
          );
        }}
      </Loaded>
      {ledger.hasNextPage && (
        <Center>
          <Button variant="default" loading={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

interface EntryRowProps {
  readonly accountId: string;
  readonly entry: LedgerEntryBody;
  readonly currency: string;
}

const KIND_WORDS = {
  top_up: 'Top-up',
  call_charge: 'Call',
  analysis_charge: 'Analysis',
  try_charge: 'Try of an agent',
} as const;

function EntryRow({ accountId, entry, currency }: EntryRowProps) {
  const EntryIcon = entry.kind === 'top_up' ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <EntryIcon size={16} stroke={1.6} aria-hidden />
          {KIND_WORDS[entry.kind]}
        </Group>
      </Table.Td>
      <Table.Td>
        <DateTime at={entry.created_at} />
      </Table.Td>
      <Table.Td>
        {entry.call_id !== null && (
          <LinkText to="/accounts/$accountId/calls/$callId" params={{ accountId, callId: entry.call_id }} size="sm">
            {entry.to_number === null ? 'View call' : formatPhoneNumber(entry.to_number)}
          </LinkText>
        )}
        {entry.agent_name}
      </Table.Td>
      <Table.Td>{entry.billable_seconds !== null && formatSpan(entry.billable_seconds)}</Table.Td>
      <Table.Td ta="right" fw={550}>
        {formatSignedMoney(entry.amount, currency)}
      </Table.Td>
      <Table.Td ta="right">{formatMoney(entry.balance_after, currency)}</Table.Td>
    </Table.Tr>
  );
}

function NoEntries() {
  return (
    <EmptyState icon={IconReceipt} title="No transactions yet">
      Top-ups and call charges appear here.
    </EmptyState>
  );
}
