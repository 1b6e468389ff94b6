import { IconHash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { phoneNumbersQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { NumberTable } from './number-table.tsx';

export function NumbersPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const numbers = useQuery(phoneNumbersQuery(accountId));
  return (
    <Page
      title="Numbers"
      description="The numbers that your calls come from. A call that names none comes from the default."
    >
      <Loaded query={numbers} what="the numbers" skeleton={<TableSkeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconHash} title="No numbers yet">
              Numbers are given to accounts by the operator of this installation. Until you have one, calls may come
              from the system’s number, if your account is allowed to use it.
            </EmptyState>
          ) : (
            <NumberTable accountId={accountId} numbers={list} isOwner={isOwner} />
          )
        }
      </Loaded>
    </Page>
  );
}
