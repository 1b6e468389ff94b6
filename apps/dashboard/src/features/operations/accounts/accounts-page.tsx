import { Stack, Text } from '@mantine/core';
import type { OperatedAccountBody } from '@outdial/contracts';
import { IconBuilding } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LinkButton, LinkText } from '../../../shared/components/links.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatCount, formatMoney } from '../../../shared/format/numbers.ts';
import { EnabledBadge } from '../parts/enabled-badge.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { SearchField, useSearch } from '../parts/search-field.tsx';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { operatedAccountsQuery } from './queries.ts';

const TITLE = 'Accounts';

export function OperatedAccountsPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Accounts />
    </OperatorsArea>
  );
}

function Accounts() {
  const search = useSearch();
  const accounts = useInfiniteQuery(operatedAccountsQuery(search.search));
  return (
    <Page title={TITLE} description="All accounts on the platform, newest first.">
      <SearchField label="Search accounts" placeholder="Name, ID or member e-mail" search={search} />
      <Loaded query={accounts} what="accounts" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.accounts);
          return found.length === 0 ? (
            <NoAccounts isSearch={search.search !== ''} />
          ) : (
            <AccountTable accounts={found} />
          );
        }}
      </Loaded>
      <LoadMore list={accounts} />
    </Page>
  );
}

function NoAccounts({ isSearch }: { readonly isSearch: boolean }) {
  if (isSearch) {
    return (
      <EmptyState icon={IconBuilding} title="No accounts found">
        Search by part of the name, the account ID or a member’s e-mail address.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconBuilding} title="No accounts yet">
      Signing up creates an account. You can also run npm run admin -- accounts create.
    </EmptyState>
  );
}

function AccountTable({ accounts }: { readonly accounts: readonly OperatedAccountBody[] }) {
  return (
    <StackedTable label="Accounts" columns={['Account', 'Status', 'Balance', 'Concurrent calls', 'Created']}>
      {accounts.map((account) => (
        <StackedRow
          key={account.id}
          cells={{
            Account: (
              <Stack gap={0}>
                <LinkText to="/operations/accounts/$operatedId" params={{ operatedId: account.id }} size="sm" fw={550}>
                  {account.name}
                </LinkText>
                <Text size="xs" c="dimmed">
                  {account.id}
                </Text>
              </Stack>
            ),
            Status: <EnabledBadge isEnabled={account.enabled} />,
            Balance: <span className="tabular">{formatMoney(account.balance, account.currency)}</span>,
            'Concurrent calls': <span className="tabular">{formatCount(account.capacity)}</span>,
            Created: <DateTime at={account.created_at} />,
          }}
          actions={
            <LinkButton
              to="/operations/accounts/$operatedId"
              params={{ operatedId: account.id }}
              size="xs"
              variant="default"
              aria-label={`Manage ${account.name}`}
            >
              Manage
            </LinkButton>
          }
        />
      ))}
    </StackedTable>
  );
}
