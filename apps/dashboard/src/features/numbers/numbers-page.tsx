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
    <Page title="Numbers" description="Your caller numbers. Calls use the default unless you choose another.">
      <Loaded query={numbers} what="numbers" skeleton={<TableSkeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconHash} title="No numbers yet">
              Ask your operator to assign a number. Until then, calls use the system number if your account is allowed
              to.
            </EmptyState>
          ) : (
            <NumberTable accountId={accountId} numbers={list} isOwner={isOwner} />
          )
        }
      </Loaded>
    </Page>
  );
}
