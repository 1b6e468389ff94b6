import { Stack, Table, Title } from '@mantine/core';
import type { CallSumsBody } from '@outdial/contracts';
import type { ReactNode } from 'react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { formatCount, formatMoney } from '../../shared/format/numbers.ts';
import { answerRate, averageSpan } from './sums.ts';

interface SubjectRow extends CallSumsBody {
  readonly key: string;
  readonly name: ReactNode;
}

interface SubjectTableProps {
  readonly title: string;
  /** The first column's name: `Agent`. */
  readonly subject: string;
  readonly rows: readonly SubjectRow[];
  readonly currency: string;
}

/** The same figures for each agent or each number. */
export function SubjectTable({ title, subject, rows, currency }: SubjectTableProps) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      <DataTable
        label={title}
        columns={[subject, 'Calls', 'Answer rate', 'Wait time', 'Talk time', 'Cost']}
        minWidth={720}
      >
        {rows.map(({ key, name, ...sums }) => (
          <Table.Tr key={key}>
            <Table.Td fw={550}>{name}</Table.Td>
            <Table.Td>{formatCount(sums.calls)}</Table.Td>
            <Table.Td>{answerRate(sums)}</Table.Td>
            <Table.Td>{averageSpan(sums.waiting_seconds, sums.calls)}</Table.Td>
            <Table.Td>{averageSpan(sums.talking_seconds, sums.answered)}</Table.Td>
            <Table.Td>{formatMoney(sums.cost, currency)}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </Stack>
  );
}
