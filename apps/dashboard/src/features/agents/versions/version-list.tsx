import { Button, Center, Stack, Table, Text, Title } from '@mantine/core';
import type { AgentBody } from '@outdial/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { versionsQuery } from '../queries.ts';
import { CompareDialog } from './compare-dialog.tsx';

interface VersionListProps {
  readonly accountId: string;
  readonly agent: AgentBody;
}

/** Every saved version of the agent. A call keeps the version that was current when it was placed. */
export function VersionList({ accountId, agent }: VersionListProps) {
  const versions = useInfiniteQuery(versionsQuery(accountId, agent.id));
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Stack gap="sm" component="section" aria-label="Versions">
      <Title order={2} size="h4">
        Versions
      </Title>
      <Text size="sm" c="dimmed">
        Each save creates a version. A call keeps the version that was current when it was placed.
      </Text>
      <Loaded query={versions} what="versions" skeleton={<TableSkeleton />}>
        {({ pages }) => (
          <DataTable label="Versions" columns={['Version', 'Name', 'Saved', 'Saved by', '']}>
            {pages
              .flatMap((page) => page.versions)
              .map(({ version, name, saved_by: savedBy, created_at: at }) => (
                <Table.Tr key={version}>
                  <Table.Td fw={550}>{version}</Table.Td>
                  <Table.Td>{name ?? 'Unnamed'}</Table.Td>
                  <Table.Td>
                    <DateTime at={at} />
                  </Table.Td>
                  <Table.Td>{savedBy ?? 'An API key or the operator'}</Table.Td>
                  <Table.Td ta="right">
                    {version !== agent.version && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        aria-label={`Compare version ${version}`}
                        onClick={() => setCompared(version)}
                      >
                        Compare
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
          </DataTable>
        )}
      </Loaded>
      {versions.hasNextPage && (
        <Center>
          <Button variant="default" loading={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
      <CompareDialog accountId={accountId} agent={agent} version={compared} onClose={() => setCompared(null)} />
    </Stack>
  );
}
