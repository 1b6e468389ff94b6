import { Button, Stack } from '@mantine/core';
import { IconExternalLink, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { API_ROOT } from '../../shared/api/request.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton, TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useSession } from '../../shared/session/session.ts';
import { AccountsPanel } from './accounts-panel.tsx';
import { CapacityPanel } from './capacity-panel.tsx';
import { DiallingPanel } from './dialling-panel.tsx';
import { operationsQuery } from './queries.ts';
import { TrunkTable } from './trunk-table.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkerTable } from './worker-table.tsx';

/** The platform as it is now, for its operators. */
export function OperationsPage() {
  const { user } = useSession();
  return user.is_operator ? <OperatorsPage /> : <OperatorsOnly />;
}

function OperatorsPage() {
  const operations = useQuery(operationsQuery);
  return (
    <Page
      title="Operations"
      description="The whole platform, all accounts together. Read again every two seconds while you look."
      actions={<QueueLink />}
    >
      <Loaded query={operations} what="the state of the platform" skeleton={<PageSkeleton />}>
        {(data) => (
          <Stack gap="xl">
            <DiallingPanel dialling={data.dialling} queued={data.calls.queued} />
            <CapacityPanel operations={data} />
            <WorkerTable workers={data.workers} />
            <WaitingPanel waiting={data.waiting} />
            <TrunkTable trunks={data.trunks} />
          </Stack>
        )}
      </Loaded>
      <AccountsPanel />
    </Page>
  );
}

function OperatorsOnly() {
  return (
    <Page title="Operations">
      <EmptyState
        icon={IconLock}
        title="For operators of the platform"
        action={<LinkButton to="/">To your calls</LinkButton>}
      >
        Whoever runs this installation makes somebody an operator, by its command line. Owners of accounts cannot.
      </EmptyState>
    </Page>
  );
}

function QueueLink() {
  return (
    <Button
      component="a"
      href={`${API_ROOT}/operations/queues/`}
      target="_blank"
      rel="noreferrer"
      variant="default"
      rightSection={<IconExternalLink size={16} stroke={1.6} aria-hidden />}
    >
      Look into the queue
    </Button>
  );
}

function PageSkeleton() {
  return (
    <Stack gap="xl">
      <PanelSkeleton lines={2} />
      <PanelSkeleton lines={4} />
      <TableSkeleton />
    </Stack>
  );
}
