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

/** The calls as they go on: the one part of the page that is rendered with every change. */
export function CallListView({ accountId, filters, agents, recorder, onClear }: CallListViewProps) {
  const live = useCallList(accountId, filters, recorder);
  return (
    <>
      {live.error !== null && (
        <ErrorNotice
          title={live.list === undefined ? 'Could not load the calls' : 'Could not bring the calls up to date'}
          error={live.error}
          onRetry={live.readAgain}
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
        title="No call matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        Calls that come to match the filters appear here by themselves.
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
      Place the first one here, or through the API. It appears in this list as soon as it is accepted, and is shown as
      it goes on.
    </EmptyState>
  );
}

/** How many calls are shown, and the way to those before them. */
function Bottom({ live: { list, loadMore, isLoadingMore, loadMoreError } }: { readonly live: LiveCallList }) {
  if (list === undefined || (list.calls.length === 0 && list.nextCursor === null)) return null;
  return (
    <>
      {loadMoreError !== null && <ErrorNotice title="Could not load more calls" error={loadMoreError} />}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" className="tabular">
          {list.nextCursor === null
            ? `${formatCount(list.calls.length)} ${list.calls.length === 1 ? 'call' : 'calls'}`
            : `The newest ${formatCount(list.calls.length)} calls`}
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
