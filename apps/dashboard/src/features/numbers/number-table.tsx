import { Button, Group, Switch, Table, Text } from '@mantine/core';
import type { PhoneNumberBody } from '@outdial/contracts';
import { IconCheck, IconPhoneOff, IconStar } from '@tabler/icons-react';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { DataTable } from '../../shared/components/data-table.tsx';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { notifyDone, notifyFailure } from '../../shared/components/notify.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { useUpdateNumber } from './queries.ts';

interface NumberTableProps {
  readonly accountId: string;
  readonly numbers: readonly PhoneNumberBody[];
  readonly isOwner: boolean;
}

export function NumberTable({ accountId, numbers, isOwner }: NumberTableProps) {
  return (
    <DataTable label="Numbers" columns={['Number', 'Default', 'Outbound calls', 'Added']}>
      {numbers.map((number) => (
        <Table.Tr key={number.id}>
          <Table.Td>
            <Group gap={4} wrap="nowrap">
              <Text className="tabular" fw={550} size="sm">
                {formatPhoneNumber(number.number)}
              </Text>
              <CopyText text={number.number} label={`Copy ${number.number}`} />
              {!number.active && (
                <ToneBadge tone="warning" icon={<IconPhoneOff size={13} aria-hidden />}>
                  Out of service
                </ToneBadge>
              )}
            </Group>
          </Table.Td>
          <Table.Td>
            <DefaultCell accountId={accountId} number={number} isOwner={isOwner} />
          </Table.Td>
          <Table.Td>
            <OutboundCell accountId={accountId} number={number} isOwner={isOwner} />
          </Table.Td>
          <Table.Td>
            <DateTime at={number.created_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

interface CellProps {
  readonly accountId: string;
  readonly number: PhoneNumberBody;
  readonly isOwner: boolean;
}

function DefaultCell({ accountId, number, isOwner }: CellProps) {
  const update = useUpdateNumber(accountId);
  if (number.is_default) {
    return (
      <ToneBadge tone="active" icon={<IconStar size={13} aria-hidden />}>
        Default
      </ToneBadge>
    );
  }
  if (!isOwner || !number.active) return null;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      loading={update.isPending}
      aria-label={`Make default: ${number.number}`}
      onClick={() =>
        update.mutate(
          { id: number.id, body: { is_default: true } },
          {
            onSuccess: () => notifyDone(`${formatPhoneNumber(number.number)} is now the default.`),
            onError: (error) => notifyFailure('Could not change the default', messageOf(error)),
          },
        )
      }
    >
      Make default
    </Button>
  );
}

function OutboundCell({ accountId, number, isOwner }: CellProps) {
  const update = useUpdateNumber(accountId);
  const isOn =
    update.isPending && 'outbound_enabled' in update.variables.body
      ? update.variables.body.outbound_enabled
      : number.outbound_enabled;
  if (!isOwner) return <OnOff isOn={number.outbound_enabled} />;
  return (
    <Switch
      checked={isOn}
      disabled={update.isPending || !number.active}
      label={isOn ? 'On' : 'Off'}
      aria-label={`Outbound calls from ${number.number}`}
      onChange={({ currentTarget }) =>
        update.mutate(
          { id: number.id, body: { outbound_enabled: currentTarget.checked } },
          { onError: (error) => notifyFailure('Could not update the number', messageOf(error)) },
        )
      }
    />
  );
}

function OnOff({ isOn }: { readonly isOn: boolean }) {
  return (
    <ToneBadge
      tone={isOn ? 'good' : 'neutral'}
      icon={isOn ? <IconCheck size={13} aria-hidden /> : <IconPhoneOff size={13} aria-hidden />}
    >
      {isOn ? 'On' : 'Off'}
    </ToneBadge>
  );
}
