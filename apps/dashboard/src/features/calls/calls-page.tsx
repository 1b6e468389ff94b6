import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { AgentSummaryBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { agentsQuery } from '../../shared/account/queries.ts';
import { Page } from '../../shared/components/page.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { FirstRun } from '../first-run/first-run.tsx';
import { CallListView } from './list/call-list-view.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { StreamIndicator } from './list/stream-indicator.tsx';
import type { CallFilters } from './model/call-filters.ts';
import { csvHref } from './queries/read-calls.ts';
import { useCallFeed } from './queries/use-call-feed.ts';

const NO_AGENTS: readonly AgentSummaryBody[] = [];

export function CallsPage() {
  const { account_id: accountId } = useAccount();
  const filters = useSearch({ from: '/signed-in/accounts/$accountId/calls' });
  const navigate = useNavigate();
  // Calls render without the agents: rows then lack agent names, and the agent filter is empty.
  const agents = useQuery(agentsQuery(accountId)).data ?? NO_AGENTS;
  const { stream, recorder } = useCallFeed(accountId, filters);
  const setFilters = (search: CallFilters) =>
    void navigate({ to: '/accounts/$accountId/calls', params: { accountId }, search, replace: true });

  return (
    <Page
      title="Calls"
      actions={
        <>
          <StreamIndicator state={stream} />
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
      <FirstRun />
      <FilterBar filters={filters} agents={agents} onChange={setFilters} />
      <CallListView
        accountId={accountId}
        filters={filters}
        agents={agents}
        recorder={recorder}
        onClear={() => setFilters({})}
      />
    </Page>
  );
}
