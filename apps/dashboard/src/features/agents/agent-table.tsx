import { Badge, Group, Table, Text } from '@mantine/core';
import type { AgentSummaryBody } from '@outdial/contracts';
import { IconAlertTriangle, IconPhoneOutgoing, IconShare2 } from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { LinkButton, LinkText } from '../../shared/components/links.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { DRIVER_WORDS } from './driver-words.ts';

interface AgentTableProps {
  readonly accountId: string;
  readonly agents: readonly AgentSummaryBody[];
}

export function AgentTable({ accountId, agents }: AgentTableProps) {
  return (
    <DataTable label="Agents" columns={['Name', 'Driver', 'Variables', 'Version', 'Created', '']} minWidth={820}>
      {agents.map((agent) => (
        <Table.Tr key={agent.id}>
          <Table.Td>
            <Group gap="xs" wrap="nowrap">
              <LinkText
                to="/accounts/$accountId/agents/$agentId"
                params={{ accountId, agentId: agent.id }}
                size="sm"
                fw={550}
              >
                {agent.name}
              </LinkText>
              <AgentMarks agent={agent} />
            </Group>
          </Table.Td>
          <Table.Td>{agent.driver === null ? null : DRIVER_WORDS[agent.driver]}</Table.Td>
          <Table.Td>
            <Variables names={agent.required_variables} />
          </Table.Td>
          <Table.Td>{agent.version}</Table.Td>
          <Table.Td>
            <DateTime at={agent.created_at} />
          </Table.Td>
          <Table.Td ta="right">
            <TestCall accountId={accountId} agent={agent} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

export function AgentMarks({ agent }: { readonly agent: Pick<AgentSummaryBody, 'owned' | 'problem'> }) {
  return (
    <>
      {!agent.owned && (
        <ToneBadge tone="neutral" icon={<IconShare2 size={13} aria-hidden />}>
          Shared with you
        </ToneBadge>
      )}
      {agent.problem !== null && (
        <ToneBadge tone="bad" icon={<IconAlertTriangle size={13} aria-hidden />}>
          Unusable
        </ToneBadge>
      )}
    </>
  );
}

function Variables({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  }
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name} variant="default" radius="sm" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
    </Group>
  );
}

interface TestCallProps {
  readonly accountId: string;
  readonly agent: Pick<AgentSummaryBody, 'id' | 'name' | 'problem'>;
}

/** Links to the call form with this agent selected. */
export function TestCall({ accountId, agent }: TestCallProps) {
  if (agent.problem !== null) return null;
  return (
    <LinkButton
      to="/accounts/$accountId/calls/new"
      params={{ accountId }}
      search={{ agent_id: agent.id }}
      size="compact-sm"
      variant="subtle"
      leftSection={<IconPhoneOutgoing size={15} aria-hidden />}
      aria-label={`Test call with ${agent.name}`}
    >
      Test call
    </LinkButton>
  );
}
