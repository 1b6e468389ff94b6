import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconPhoneOff, IconPhonePlus } from '@tabler/icons-react';
import type { AgentBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { agentsQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Page } from '../../shared/components/page.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { useAccount } from '../../shared/session/account.ts';
import { CallTable } from './list/call-table.tsx';
import { CallTableSkeleton } from './list/call-table-skeleton.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { StreamIndicator } from './list/stream-indicator.tsx';
import { countFilters, type CallFilters } from './model/call-filters.ts';
import { csvHref } from './queries/read-calls.ts';
import { useCallList, type LiveCallList } from './queries/use-call-list.ts';

const NO_AGENTS: readonly AgentBody[] = [];

export function CallsPage() {
  const { account_id: accountId } = useAccount();
  const filters = useSearch({ from: '/signed-in/accounts/$accountId/calls' });
  const navigate = useNavigate();
  // Without them rows have no names of agents, and there is nothing to filter by: no reason to hold calls back.
  const agents = useQuery(agentsQuery(accountId)).data ?? NO_AGENTS;
  const live = useCallList(accountId, filters);
  const setFilters = (search: CallFilters) =>
    void navigate({ to: '/accounts/$accountId/calls', params: { accountId }, search, replace: true });

  return (
    <Page
      title="Calls"
      actions={
        <>
          <StreamIndicator state={live.stream} />
          <Button
            component="a"
            href={csvHref(accountId, filters)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Export CSV
          </Button>
        </>
      }
    >
      <FilterBar filters={filters} agents={agents} onChange={setFilters} />
      {live.error !== null && (
        <ErrorNotice
          title={live.list === undefined ? 'Could not load the calls' : 'Could not bring the calls up to date'}
          error={live.error}
          onRetry={live.readAgain}
        />
      )}
      {live.list === undefined && live.error === null && <CallTableSkeleton />}
      {live.list?.calls.length === 0 && live.list.nextCursor === null && (
        <NoCalls accountId={accountId} isFiltered={countFilters(filters) > 0} onClear={() => setFilters({})} />
      )}
      {live.list !== undefined && live.list.calls.length > 0 && (
        <CallTable accountId={accountId} calls={live.list.calls} agents={agents} />
      )}
      <Bottom live={live} />
    </Page>
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
