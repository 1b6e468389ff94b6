import { Button, Center, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SuppressionBody } from '@outdial/contracts';
import { IconFileImport, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { AddNumbersDialog } from './add-numbers-dialog.tsx';
import { CheckNumberDialog } from './check-number-dialog.tsx';
import { EntryTable } from './entry-table.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NoEntries } from './no-entries.tsx';
import { NumberFilters } from './number-filters.tsx';
import { suppressionsQuery } from './queries.ts';
import { RemoveNumberDialog } from './remove-number-dialog.tsx';
import type { DoNotCallSearch } from './search.ts';

export function DoNotCallPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/do-not-call' });
  const navigate = useNavigate();
  const [isAdding, adding] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const [isChecking, checking] = useDisclosure(false);
  const setSearch = (part: DoNotCallSearch) =>
    void navigate({
      to: '/accounts/$accountId/do-not-call',
      params: { accountId },
      search: { ...search, ...part },
      replace: true,
    });
  return (
    <Page
      title="Do not call"
      description={`Your account never calls a number on this list. Everyone can add numbers, and ${isOwner ? 'owners remove' : 'only owners remove'} them.`}
      actions={
        <>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            Add numbers
          </Button>
          <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={importing.open}>
            Import a file
          </Button>
          <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={checking.open}>
            Check a number
          </Button>
        </>
      }
    >
      <NumberFilters search={search} onChange={setSearch} />
      <Entries search={search} onClear={() => setSearch({ number: undefined, kind: undefined })} />
      <AddNumbersDialog isOpen={isAdding} onClose={adding.close} />
      <ImportDialog isOpen={isImporting} onClose={importing.close} />
      <CheckNumberDialog isOpen={isChecking} onClose={checking.close} />
    </Page>
  );
}

interface EntriesProps {
  readonly search: DoNotCallSearch;
  readonly onClear: () => void;
}

function Entries({ search, onClear }: EntriesProps) {
  const { account_id: accountId } = useAccount();
  const entries = useInfiniteQuery(suppressionsQuery(accountId, search));
  const removing = useDialogAbout<SuppressionBody>();
  return (
    <Stack gap="md">
      <Loaded query={entries} what="the list" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.suppressions);
          return list.length === 0 ? (
            <NoEntries search={search} onClear={onClear} />
          ) : (
            <EntryTable entries={list} onRemove={removing.open} />
          );
        }}
      </Loaded>
      {entries.hasNextPage && (
        <Center>
          <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
      <RemoveNumberDialog dialog={removing} />
    </Stack>
  );
}
