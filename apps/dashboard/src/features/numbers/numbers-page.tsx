import { IconHash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { phoneNumbersQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { firstRunQuery } from '../first-run/queries.ts';
import { NumberTable } from './number-table.tsx';

export function NumbersPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const numbers = useQuery(phoneNumbersQuery(accountId));
  return (
    <Page title="Numbers" description="Your caller numbers. Calls use the default unless you choose another.">
      <Loaded query={numbers} what="numbers" skeleton={<TableSkeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <NoNumbers accountId={accountId} />
          ) : (
            <NumberTable accountId={accountId} numbers={list} isOwner={isOwner} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** What an account without its own number may do depends on the system number. */
function textOf(hasNumber: boolean | undefined): string {
  if (hasNumber === undefined) return 'Your operator assigns numbers to accounts.';
  if (hasNumber) return 'Your calls use the system number. Your operator can assign a number to your account.';
  return 'Your account cannot place calls before your operator assigns a number to it.';
}

function NoNumbers({ accountId }: { readonly accountId: string }) {
  const { data } = useQuery(firstRunQuery(accountId));
  const ask = (
    <LinkButton to="/accounts/$accountId/requests" params={{ accountId }} variant="default">
      Ask your operator
    </LinkButton>
  );
  return (
    <EmptyState icon={IconHash} title="No numbers yet" action={ask}>
      {textOf(data?.steps.number)}
    </EmptyState>
  );
}
