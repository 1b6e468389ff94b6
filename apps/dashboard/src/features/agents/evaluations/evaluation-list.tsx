import { Button, Center, Group, Table, Text } from '@mantine/core';
import type { EvaluationSummaryBody } from '@outdial/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { evaluationsQuery, isOpen, useCancelEvaluation } from './queries.ts';
import { ReportDialog } from './report-dialog.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

interface EvaluationListProps {
  readonly accountId: string;
  readonly agentId: string;
}

/** Every evaluation of the agent, newest first. */
export function EvaluationList({ accountId, agentId }: EvaluationListProps) {
  const list = useInfiniteQuery(evaluationsQuery(accountId, agentId));
  const cancel = useCancelEvaluation(accountId, agentId);
  const [shown, setShown] = useState<string | null>(null);
  const all = list.data?.pages.flatMap((page) => page.evaluations) ?? [];
  const at = all.findIndex(({ id }) => id === shown);
  return (
    <>
      <Loaded query={list} what="evaluations" skeleton={<TableSkeleton />}>
        {() =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              No evaluations yet.
            </Text>
          ) : (
            <DataTable
              label="Evaluations"
              columns={['Version', 'Result', 'Passed', 'Requested', { label: 'Cost', align: 'end' }, '']}
            >
              {all.map((evaluation) => (
                <Row
                  key={evaluation.id}
                  evaluation={evaluation}
                  onShow={() => setShown(evaluation.id)}
                  onCancel={() => cancel.mutate(evaluation.id)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      {cancel.error !== null && <ErrorNotice title="Could not cancel the evaluation" error={cancel.error} />}
      {list.hasNextPage && (
        <Center>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
      <ReportDialog
        accountId={accountId}
        agentId={agentId}
        evaluationId={shown}
        earlierId={at < 0 ? null : (all[at + 1]?.id ?? null)}
        onClose={() => setShown(null)}
      />
    </>
  );
}

interface RowProps {
  readonly evaluation: EvaluationSummaryBody;
  readonly onShow: () => void;
  readonly onCancel: () => void;
}

function Row({ evaluation, onShow, onCancel }: RowProps) {
  const { agent_version: version, counts, created_at: at, cost, currency } = evaluation;
  return (
    <Table.Tr>
      <Table.Td fw={550}>{version}</Table.Td>
      <Table.Td>
        <VerdictBadge of={evaluation} />
      </Table.Td>
      <Table.Td>
        {counts.passed} of {counts.scenarios}
      </Table.Td>
      <Table.Td>
        <DateTime at={at} />
      </Table.Td>
      <Table.Td ta="right">{formatMoney(cost, currency)}</Table.Td>
      <Table.Td ta="right">
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {isOpen(evaluation) && (
            <Button size="compact-sm" variant="subtle" color="red" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={onShow}>
            Report
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
