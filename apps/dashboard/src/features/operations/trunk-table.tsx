import { Table } from '@mantine/core';
import type { TrunkConditionBody } from '@outdial/contracts';
import { DataTable } from '../../shared/components/data-table.tsx';
import { TrunkHealthBadge } from './parts/trunk-health-badge.tsx';
import { Section } from './section.tsx';

/** The trunks' health. The simulated network has no trunks. */
export function TrunkTable({ trunks }: { readonly trunks: readonly TrunkConditionBody[] }) {
  if (trunks.length === 0) return null;
  return (
    <Section title="Trunks" hint="Health as recently reported by workers.">
      <DataTable label="Trunks" columns={['Trunk', 'Health', 'Channels in use', 'Calls per second']}>
        {trunks.map((trunk) => (
          <TrunkRow key={trunk.name} trunk={trunk} />
        ))}
      </DataTable>
    </Section>
  );
}

function TrunkRow({ trunk }: { readonly trunk: TrunkConditionBody }) {
  return (
    <Table.Tr>
      <Table.Td fw={550}>{trunk.name}</Table.Td>
      <Table.Td>
        <TrunkHealthBadge trunk={trunk} />
      </Table.Td>
      <Table.Td className="tabular">
        {trunk.in_use} of {trunk.channels}
      </Table.Td>
      <Table.Td className="tabular">{trunk.calls_per_second}</Table.Td>
    </Table.Tr>
  );
}
