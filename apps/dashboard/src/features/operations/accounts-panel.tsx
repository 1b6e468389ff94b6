import { Button, Table, Text } from '@mantine/core';
import type { OperatedAccountBody } from '@outdial/contracts';
import { IconBuilding, IconCircleCheck, IconCircleOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { formatCount, formatMoney } from '../../shared/format/numbers.ts';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { operatedAccountsQuery } from './queries.ts';
import { Section } from './section.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';

export function AccountsPanel() {
  const accounts = useQuery(operatedAccountsQuery);
  const dialog = useDialogAbout<OperatedAccountBody>();
  return (
    <Section title="Accounts">
      <Loaded query={accounts} what="the accounts" skeleton={<TableSkeleton />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={IconBuilding} title="No accounts yet">
              Whoever signs up makes one, and so does npm run admin -- accounts create.
            </EmptyState>
          ) : (
            <DataTable label="Accounts" columns={['Account', 'State', 'Balance', 'Calls at once', 'Created', '']}>
              {found.map((account) => (
                <AccountRow key={account.id} account={account} onTopUp={() => dialog.open(account)} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      <TopUpDialog dialog={dialog} />
    </Section>
  );
}

interface AccountRowProps {
  readonly account: OperatedAccountBody;
  readonly onTopUp: () => void;
}

function AccountRow({ account, onTopUp }: AccountRowProps) {
  const StateIcon = account.enabled ? IconCircleCheck : IconCircleOff;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {account.name}
        </Text>
        <Text size="xs" c="dimmed">
          {account.id}
        </Text>
      </Table.Td>
      <Table.Td>
        <ToneBadge tone={account.enabled ? 'good' : 'neutral'} icon={<StateIcon size={14} stroke={1.8} aria-hidden />}>
          {account.enabled ? 'Enabled' : 'Disabled'}
        </ToneBadge>
      </Table.Td>
      <Table.Td className="tabular">{formatMoney(account.balance, account.currency)}</Table.Td>
      <Table.Td className="tabular">{formatCount(account.capacity)}</Table.Td>
      <Table.Td>
        <DateTime at={account.created_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Button size="xs" variant="default" onClick={onTopUp} aria-label={`Top up ${account.name}`}>
          Top up
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
