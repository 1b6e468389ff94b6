import { Button, Code, Group, Table, Text } from '@mantine/core';
import type { CheckResult, CredentialBody } from '@outdial/contracts';
import { IconAlertTriangle, IconCheck, IconPlugOff, IconX, type Icon } from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { DateTime, RelativeTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { PROVIDER_WORDS } from '../../shared/words/providers.ts';
import { CHECK_WORDS } from '../../shared/words/check-words.ts';

interface CredentialActions {
  readonly onCheck: (credential: CredentialBody) => void;
  readonly onLimits: (credential: CredentialBody) => void;
  readonly onRotate: (credential: CredentialBody) => void;
  readonly onDelete: (credential: CredentialBody) => void;
}

interface CredentialTableProps extends CredentialActions {
  readonly credentials: readonly CredentialBody[];
}

export function CredentialTable({ credentials, ...actions }: CredentialTableProps) {
  return (
    <DataTable label="Credentials" columns={['Name', 'Provider', 'Key', 'Key set', 'Last check', '']} minWidth={860}>
      {credentials.map((credential) => (
        <CredentialRow key={credential.id} credential={credential} {...actions} />
      ))}
    </DataTable>
  );
}

interface CredentialRowProps extends CredentialActions {
  readonly credential: CredentialBody;
}

function CredentialRow({ credential, onCheck, onLimits, onRotate, onDelete }: CredentialRowProps) {
  const { name, provider, base_url: baseUrl, region, shown_suffix: suffix } = credential;
  const address = baseUrl ?? (region === null ? null : `Region ${region}`);
  return (
    <Table.Tr>
      <Table.Td fw={550} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {/* On a phone the cell is a row of its children. */}
        <div>
          {PROVIDER_WORDS[provider]}
          {address !== null && (
            <Text size="xs" c="dimmed">
              {address}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td>{suffix === '' ? 'Hidden' : <Code>…{suffix}</Code>}</Table.Td>
      <Table.Td>
        <DateTime at={credential.rotated_at} />
      </Table.Td>
      <Table.Td>
        <LastCheck credential={credential} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button size="compact-sm" variant="subtle" onClick={() => onCheck(credential)}>
            Check
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => onLimits(credential)}>
            Limits
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => onRotate(credential)}>
            Rotate
          </Button>
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => onDelete(credential)}>
            Delete
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

const CHECK_ICONS: Readonly<Record<CheckResult, Icon>> = {
  ok: IconCheck,
  rejected: IconX,
  unreachable: IconPlugOff,
  no_such_model: IconAlertTriangle,
};

function LastCheck({ credential: { check_result: result, checked_at: at } }: { readonly credential: CredentialBody }) {
  if (result === null || at === null) {
    return (
      <Text span c="dimmed" size="sm">
        Never
      </Text>
    );
  }
  const { label, meaning, tone } = CHECK_WORDS[result];
  const CheckIcon = CHECK_ICONS[result];
  return (
    <div title={meaning}>
      <ToneBadge tone={tone} icon={<CheckIcon size={13} aria-hidden />}>
        {label}
      </ToneBadge>
      <Text size="xs" c="dimmed">
        <RelativeTime at={at} />
      </Text>
    </div>
  );
}
