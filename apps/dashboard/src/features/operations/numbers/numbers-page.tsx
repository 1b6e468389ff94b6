import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHash, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { SearchField, useSearch } from '../parts/search-field.tsx';
import { AddNumberDialog } from './add-number-dialog.tsx';
import { OperatedNumberTable } from './number-table.tsx';
import { operatedNumbersQuery } from './queries.ts';

const TITLE = 'All numbers';

export function OperatedNumbersPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Numbers />
    </OperatorsArea>
  );
}

function Numbers() {
  const search = useSearch();
  const numbers = useInfiniteQuery(operatedNumbersQuery({ search: search.search }));
  const [isOpen, dialog] = useDisclosure(false);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      Add number
    </Button>
  );
  return (
    <Page
      title={TITLE}
      description="The caller numbers of all accounts. Accounts without a number use the system default, if allowed."
      actions={add}
    >
      <SearchField label="Search numbers" placeholder="Digits or account name" search={search} />
      <Loaded query={numbers} what="numbers" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.numbers);
          if (found.length > 0) return <OperatedNumberTable numbers={found} />;
          return <NoNumbers isSearch={search.search !== ''} />;
        }}
      </Loaded>
      <LoadMore list={numbers} />
      <AddNumberDialog isOpen={isOpen} onClose={dialog.close} />
    </Page>
  );
}

function NoNumbers({ isSearch }: { readonly isSearch: boolean }) {
  if (isSearch) {
    return (
      <EmptyState icon={IconHash} title="No numbers found">
        Search by part of the number, such as 202555, or by account name.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconHash} title="No numbers yet">
      Add a number that your carrier allows you to call from, then assign it to an account.
    </EmptyState>
  );
}
