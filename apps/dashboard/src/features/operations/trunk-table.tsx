import { Stack, Table, Text } from '@mantine/core';
import type { TrunkConditionBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCircleCheck, IconCircleOff, IconQuestionMark } from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { Section } from './section.tsx';
import { healthOf } from './trunk-health.ts';

const ICONS = {
  good: IconCircleCheck,
  neutral: IconCircleOff,
  warning: IconQuestionMark,
  bad: IconAlertTriangle,
} as const;

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
  const { label, tone, details } = healthOf(trunk);
  const HealthIcon = ICONS[tone];
  return (
    <Table.Tr>
      <Table.Td fw={550}>{trunk.name}</Table.Td>
      <Table.Td>
        <Stack gap={4} align="flex-start">
          <ToneBadge tone={tone} icon={<HealthIcon size={14} stroke={1.8} aria-hidden />}>
            {label}
          </ToneBadge>
          {details.map((detail) => (
            <Text key={detail} size="xs" c="dimmed">
              {detail}
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td className="tabular">
        {trunk.in_use} of {trunk.channels}
      </Table.Td>
      <Table.Td className="tabular">{trunk.calls_per_second}</Table.Td>
    </Table.Tr>
  );
}
