import { Button, Stack } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { API_ROOT } from '../../shared/api/request.ts';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton, TableSkeleton } from '../../shared/components/skeletons.tsx';
import { OperatorsArea } from './parts/operators-area.tsx';
import { CapacityPanel } from './capacity-panel.tsx';
import { DialingPanel } from './dialing-panel.tsx';
import { ProviderNotice } from './providers/provider-notice.tsx';
import { operationsQuery } from './queries.ts';
import { SchedulePanel } from './schedule-panel.tsx';
import { TrunkTable } from './trunk-table.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkerTable } from './worker-table.tsx';

/** The current state of the platform, for operators. */
export function OperationsPage() {
  return (
    <OperatorsArea title="Operations">
      <OperatorsPage />
    </OperatorsArea>
  );
}

function OperatorsPage() {
  const operations = useQuery(operationsQuery);
  return (
    <Page
      title="Operations"
      description="The whole platform, across all accounts. Updates every two seconds."
      actions={<QueueLink />}
    >
      <Loaded query={operations} what="operations" skeleton={<PageSkeleton />}>
        {(data) => (
          <Stack gap="xl">
            <DialingPanel dialling={data.dialling} queued={data.calls.queued} />
            <ProviderNotice />
            <CapacityPanel operations={data} />
            <WorkerTable workers={data.workers} />
            <SchedulePanel schedule={data.schedule} />
            <WaitingPanel waiting={data.waiting} />
            <TrunkTable trunks={data.trunks} />
          </Stack>
        )}
      </Loaded>
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
      View queue
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
