import { Button, Group, Text } from '@mantine/core';
import { IconPhoneOff, IconPhonePlus } from '@tabler/icons-react';
import type { AgentSummaryBody } from '@outdial/contracts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { countFilters, type CallFilters } from '../model/call-filters.ts';
import type { ChangeRecorder } from '../model/change-recorder.ts';
import { useCallList, type LiveCallList } from '../queries/use-call-list.ts';
import { CallTable } from './call-table.tsx';
import { CallTableSkeleton } from './call-table-skeleton.tsx';

interface CallListViewProps {
  readonly accountId: string;
  readonly filters: CallFilters;
  readonly agents: readonly AgentSummaryBody[];
  readonly recorder: ChangeRecorder;
  readonly onClear: () => void;
}

/** The live list: the only part of the page that renders with every change. */
export function CallListView({ accountId, filters, agents, recorder, onClear }: CallListViewProps) {
  const live = useCallList(accountId, filters, recorder);
  return (
    <>
      {live.error !== null && (
        <ErrorNotice
          title={live.list === undefined ? 'Could not load calls' : 'Could not refresh calls'}
          error={live.error}
          onRetry={live.refresh}
        />
      )}
      {live.list === undefined && live.error === null && <CallTableSkeleton />}
      {live.list?.calls.length === 0 && live.list.nextCursor === null && (
        <NoCalls accountId={accountId} isFiltered={countFilters(filters) > 0} onClear={onClear} />
      )}
      {live.list !== undefined && live.list.calls.length > 0 && (
        <CallTable accountId={accountId} calls={live.list.calls} agents={agents} />
      )}
      <Bottom live={live} />
    </>
  );
}

interface NoCallsProps {
  readonly accountId: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function NoCalls({ accountId, isFiltered, onClear }: NoCallsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconPhoneOff}
        title="No calls match your filters"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        New calls that match appear here automatically.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconPhonePlus}
      title="No calls yet"
      action={
        <LinkButton to="/accounts/$accountId/calls/new" params={{ accountId }}>
          Place a call
        </LinkButton>
      }
    >
      Place your first call here or through the API, and follow it live in this list.
    </EmptyState>
  );
}

/** The number of calls shown, and the button to load older ones. */
function Bottom({ live: { list, loadMore, isLoadingMore, loadMoreError } }: { readonly live: LiveCallList }) {
  if (list === undefined || (list.calls.length === 0 && list.nextCursor === null)) return null;
  return (
    <>
      {loadMoreError !== null && <ErrorNotice title="Could not load more calls" error={loadMoreError} />}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" className="tabular">
          {list.nextCursor === null
            ? `${formatCount(list.calls.length)} ${list.calls.length === 1 ? 'call' : 'calls'}`
            : `Latest ${formatCount(list.calls.length)} calls`}
        </Text>
        {list.nextCursor !== null && (
          <Button variant="default" onClick={loadMore} loading={isLoadingMore}>
            Load more
          </Button>
        )}
      </Group>
    </>
  );
}
