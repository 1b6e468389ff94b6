import { Button, Group, Switch, Text } from '@mantine/core';
import type { OperatedNumberBody } from '@outdial/contracts';
import { IconStar } from '@tabler/icons-react';
import { CopyText } from '../../../shared/components/copy-text.tsx';
import { messageOf } from '../../../shared/components/error-notice.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { notifyDone, notifyFailure } from '../../../shared/components/notify.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { useDialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { useChangeNumber, type NumberChange } from './queries.ts';

interface NumberTableProps {
  readonly numbers: readonly OperatedNumberBody[];
  /** All numbers belong to the page's account, so rows do not name it. */
  readonly isOfOneAccount?: boolean;
}

export function OperatedNumberTable({ numbers, isOfOneAccount = false }: NumberTableProps) {
  const assign = useDialogAbout<OperatedNumberBody>();
  return (
    <>
      <StackedTable
        label="Numbers"
        columns={['Number', isOfOneAccount ? 'Default' : 'Account', 'Outbound calls', 'Added']}
      >
        {numbers.map((number) => (
          <NumberRow
            key={number.id}
            number={number}
            isOfOneAccount={isOfOneAccount}
            onAssign={() => assign.open(number)}
          />
        ))}
      </StackedTable>
      <AssignDialog dialog={assign} />
    </>
  );
}

interface NumberRowProps {
  readonly isOfOneAccount: boolean;
  readonly number: OperatedNumberBody;
  readonly onAssign: () => void;
}

function NumberRow({ number, isOfOneAccount, onAssign }: NumberRowProps) {
  const change = useChangeNumber();
  const shown = formatPhoneNumber(number.number);
  const run = (what: NumberChange, done: string) =>
    change.mutate(what, {
      onSuccess: () => notifyDone(done),
      onError: (error) => notifyFailure('Could not update the number', messageOf(error)),
    });
  const unassign = () => run({ kind: 'assign', id: number.id, accountId: null }, `${shown} unassigned.`);
  const makeDefault = () => run({ kind: 'system_default', id: number.id }, `${shown} is now the system default.`);
  return (
    <StackedRow
      cells={{
        Number: (
          <Group gap={4} wrap="nowrap">
            <Text className="tabular" fw={550} size="sm" style={{ whiteSpace: 'nowrap' }}>
              {shown}
            </Text>
            <CopyText text={number.number} label={`Copy ${number.number}`} />
          </Group>
        ),
        ...(isOfOneAccount ? { Default: number.is_default ? 'Yes' : 'No' } : { Account: <Owner number={number} /> }),
        'Outbound calls': (
          <Switch
            checked={number.outbound_enabled}
            disabled={change.isPending}
            label={number.outbound_enabled ? 'On' : 'Off'}
            aria-label={`Outbound calls from ${number.number}`}
            onChange={({ currentTarget: { checked } }) =>
              run(
                { kind: 'outbound', id: number.id, enabled: checked },
                `Outbound calls from ${shown} are ${checked ? 'on' : 'off'}.`,
              )
            }
          />
        ),
        Added: <DateTime at={number.created_at} />,
      }}
      actions={
        <>
          {number.account === null && !number.is_default && (
            <Button
              size="xs"
              variant="default"
              onClick={makeDefault}
              aria-label={`Make system default: ${number.number}`}
            >
              Make system default
            </Button>
          )}
          {number.account !== null && (
            <Button size="xs" variant="default" onClick={unassign} aria-label={`Unassign ${number.number}`}>
              Unassign
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            onClick={onAssign}
            aria-label={`${number.account === null ? 'Assign' : 'Reassign'} ${number.number}`}
          >
            {number.account === null ? 'Assign' : 'Reassign'}
          </Button>
        </>
      }
    />
  );
}

function Owner({ number }: { readonly number: OperatedNumberBody }) {
  if (number.account !== null) {
    return (
      <Group gap="xs">
        <LinkText to="/operations/accounts/$operatedId" params={{ operatedId: number.account.id }} size="sm">
          {number.account.name}
        </LinkText>
        {number.is_default && <ToneBadge tone="active">Default</ToneBadge>}
      </Group>
    );
  }
  if (!number.is_default) return <ToneBadge tone="neutral">Not assigned</ToneBadge>;
  return (
    <ToneBadge tone="active" icon={<IconStar size={13} aria-hidden />}>
      System default
    </ToneBadge>
  );
}
