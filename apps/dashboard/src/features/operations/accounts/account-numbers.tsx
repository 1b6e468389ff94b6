import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OperatedAccountBody } from '@outdial/contracts';
import { IconHash, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { Section } from '../section.tsx';
import { AddNumberDialog } from '../numbers/add-number-dialog.tsx';
import { OperatedNumberTable } from '../numbers/number-table.tsx';
import { operatedNumbersQuery } from '../numbers/queries.ts';
import { LoadMore } from '../parts/load-more.tsx';

/** The account's numbers. */
export function AccountNumbers({ account }: { readonly account: OperatedAccountBody }) {
  const numbers = useInfiniteQuery(operatedNumbersQuery({ search: '', accountId: account.id }));
  const [isOpen, dialog] = useDisclosure(false);
  const add = (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      Add number
    </Button>
  );
  const isEmpty = numbers.data?.pages[0]?.numbers.length === 0;
  return (
    <Section title="Numbers" actions={isEmpty ? undefined : add}>
      <Loaded query={numbers} what="numbers" skeleton={<TableSkeleton rows={2} />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.numbers);
          if (found.length > 0) return <OperatedNumberTable numbers={found} isOfOneAccount />;
          return (
            <EmptyState icon={IconHash} title="No numbers yet" action={add}>
              Add a number for this account, or assign one on the All numbers page.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore list={numbers} />
      <AddNumberDialog isOpen={isOpen} onClose={dialog.close} account={{ id: account.id, name: account.name }} />
    </Section>
  );
}
