import { Button, Stack, Table, Text, Tooltip } from '@mantine/core';
import type { WorkerBody } from '@outdial/contracts';
import {
  IconCircleCheck,
  IconHourglass,
  IconPlayerPause,
  IconPlugConnectedX,
  IconServer,
  type Icon,
} from '@tabler/icons-react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { formatSpan } from '../../shared/format/numbers.ts';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { DrainDialog } from './drain-dialog.tsx';
import { Section } from './section.tsx';
import { isDraining, WORKER_STATE_WORDS } from './worker-words.ts';

const STATE_ICONS: Readonly<Record<WorkerBody['state'], Icon>> = {
  taking: IconCircleCheck,
  draining: IconHourglass,
  drained: IconPlayerPause,
  silent: IconPlugConnectedX,
};

export function WorkerTable({ workers }: { readonly workers: readonly WorkerBody[] }) {
  const dialog = useDialogAbout<WorkerBody>();
  return (
    <Section title="Workers" hint="Processes that run calls.">
      {workers.length === 0 ? (
        <EmptyState icon={IconServer} title="No workers running">
          Accepted calls wait in the queue. Start a worker; it appears here within seconds.
        </EmptyState>
      ) : (
        <DataTable label="Workers" columns={['Worker', 'Status', 'Calls', 'Oldest lease', 'Started', '']}>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} onChange={() => dialog.open(worker)} />
          ))}
        </DataTable>
      )}
      <DrainDialog dialog={dialog} workers={workers} />
    </Section>
  );
}

interface WorkerRowProps {
  readonly worker: WorkerBody;
  readonly onChange: () => void;
}

function WorkerRow({ worker, onChange }: WorkerRowProps) {
  const { label, tone, hint } = WORKER_STATE_WORDS[worker.state];
  const StateIcon = STATE_ICONS[worker.state];
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Text size="sm" fw={550}>
            {worker.host}
          </Text>
          <Text size="xs" c="dimmed" title={worker.id}>
            {worker.id.split(':').slice(1).join(':').slice(0, 16)} · {worker.version}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <Tooltip label={hint} multiline maw={260} events={{ hover: true, focus: true, touch: true }}>
          <span tabIndex={0}>
            <ToneBadge tone={tone} icon={<StateIcon size={14} stroke={1.8} aria-hidden />}>
              {label}
            </ToneBadge>
          </span>
        </Tooltip>
      </Table.Td>
      <Table.Td className="tabular">
        {worker.live_calls} of {worker.concurrency}
      </Table.Td>
      <Table.Td className="tabular">
        {worker.oldest_lease_seconds === null ? '–' : formatSpan(worker.oldest_lease_seconds)}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={worker.started_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Button size="xs" variant="default" onClick={onChange} aria-label={`${verbOf(worker)} worker ${worker.id}`}>
          {verbOf(worker)}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function verbOf(worker: WorkerBody): 'Drain' | 'Resume' {
  return isDraining(worker) ? 'Resume' : 'Drain';
}
