import { Table } from '@mantine/core';
import type { OperatedRateBody } from '@outdial/contracts';
import { DataTable } from '../../../shared/components/data-table.tsx';

interface RateTableProps {
  readonly rates: readonly OperatedRateBody[];
  readonly currency: string;
}

/** Amounts are shown unrounded, because rounding would hide what a call costs. */
export function RateTable({ rates, currency }: RateTableProps) {
  return (
    <DataTable
      label="Rates"
      columns={['Prefix', 'Destination', `Per minute (${currency})`, `Connection fee (${currency})`, 'Increments']}
    >
      {rates.map((rate) => (
        <Table.Tr key={rate.prefix}>
          <Table.Td className="tabular" fw={550}>
            {rate.prefix}
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{rate.description}</Table.Td>
          <Table.Td className="tabular">{rate.price_per_minute}</Table.Td>
          <Table.Td className="tabular">{rate.connection_fee}</Table.Td>
          <Table.Td className="tabular">{rate.increments}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
