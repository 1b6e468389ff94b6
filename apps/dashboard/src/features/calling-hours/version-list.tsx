import { Button, Center, Stack, Table, Text, Title } from '@mantine/core';
import type { CallingPolicyBody } from '@outdial/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { DataTable } from '../../shared/components/data-table.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { policyVersionsQuery } from './queries.ts';
import { VersionDialog } from './version-dialog.tsx';
import { savedByWords } from './words/saved-words.ts';

/** Every version of the policy, newest first. */
export function VersionList({ current }: { readonly current: number }) {
  const { account_id: accountId } = useAccount();
  const versions = useInfiniteQuery(policyVersionsQuery(accountId));
  const viewing = useDialogAbout<CallingPolicyBody>();
  return (
    <Stack gap="sm" component="section" aria-label="Versions">
      <Title order={2} size="h4">
        Versions
      </Title>
      <Loaded query={versions} what="versions" skeleton={<TableSkeleton />}>
        {({ pages }) =>
          pages.every((page) => page.versions.length === 0) ? (
            <Text size="sm" c="dimmed">
              Nothing was saved yet. Each save makes a version, and none is ever changed.
            </Text>
          ) : (
            <DataTable label="Versions" columns={['Version', 'Saved', 'Saved by', '']} minWidth={480}>
              {pages
                .flatMap((page) => page.versions)
                .map((version) => (
                  <Table.Tr key={version.version}>
                    <Table.Td fw={550}>
                      {version.version === current ? `${version.version} (in force)` : version.version}
                    </Table.Td>
                    <Table.Td>{version.saved_at !== null && <DateTime at={version.saved_at} />}</Table.Td>
                    <Table.Td>{savedByWords(version)}</Table.Td>
                    <Table.Td ta="right">
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        aria-label={`View version ${version.version}`}
                        onClick={() => viewing.open(version)}
                      >
                        View
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
            </DataTable>
          )
        }
      </Loaded>
      {versions.hasNextPage && (
        <Center>
          <Button variant="default" loading={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
      <VersionDialog dialog={viewing} current={current} />
    </Stack>
  );
}
