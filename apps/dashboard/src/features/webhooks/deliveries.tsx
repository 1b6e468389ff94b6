import { Button, Center, Group, Select, Stack, Table, Title } from '@mantine/core';
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_TYPES,
  webhookMessageIdSchema,
  type WebhookDeliveryBody,
} from '@outdial/contracts';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { deliveriesQuery } from './queries.ts';
import type { DeliveriesSearch } from './search.ts';
import { StateBadge } from './state-badge.tsx';
import { DELIVERY_WORDS, errorWords } from './webhook-words.ts';

interface DeliveriesProps {
  readonly accountId: string;
  readonly endpointId: string;
  readonly search: DeliveriesSearch;
  readonly onChange: (part: Partial<DeliveriesSearch>) => void;
}

const STATES = WEBHOOK_DELIVERY_STATES.map((value) => ({ value, label: DELIVERY_WORDS[value].label }));

export function Deliveries({ accountId, endpointId, search, onChange }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(accountId, endpointId, search));
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Deliveries
        </Title>
        <Group gap="sm" role="search" aria-label="Filter deliveries">
          <Select
            aria-label="State"
            placeholder="Any state"
            data={STATES}
            value={search.state ?? null}
            onChange={(value) => onChange({ state: WEBHOOK_DELIVERY_STATES.find((known) => known === value) })}
            clearable
          />
          <Select
            aria-label="Event"
            placeholder="Any event"
            data={WEBHOOK_TYPES}
            value={search.type ?? null}
            onChange={(value) => onChange({ type: WEBHOOK_TYPES.find((known) => known === value) })}
            clearable
          />
        </Group>
      </Group>
      <Loaded query={deliveries} what="the deliveries" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.deliveries);
          if (list.length === 0) return <NoDeliveries />;
          return (
            <DataTable label="Deliveries" columns={['Event', 'State', 'Attempts', 'Created', 'Last error', '']}>
              {list.map((delivery) => (
                <DeliveryRow key={delivery.message_id} delivery={delivery} onChange={onChange} />
              ))}
            </DataTable>
          );
        }}
      </Loaded>
      {deliveries.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

interface DeliveryRowProps extends Pick<DeliveriesProps, 'onChange'> {
  readonly delivery: WebhookDeliveryBody;
}

function DeliveryRow({ delivery, onChange }: DeliveryRowProps) {
  const { message_id: id, type, state, attempt_count: attempts, last_error: error, last_status: status } = delivery;
  return (
    <Table.Tr>
      <Table.Td fw={550}>{type}</Table.Td>
      <Table.Td>
        <StateBadge words={DELIVERY_WORDS[state]} />
      </Table.Td>
      <Table.Td>{attempts}</Table.Td>
      <Table.Td>
        <RelativeTime at={delivery.created_at} />
      </Table.Td>
      <Table.Td>{error === null ? 'None' : errorWords(error, status)}</Table.Td>
      <Table.Td>
        <Group justify="flex-end">
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`View ${type}`}
            onClick={() => onChange({ message: webhookMessageIdSchema.parse(id) })}
          >
            View
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function NoDeliveries() {
  return (
    <EmptyState icon={IconSend} title="No deliveries">
      What is sent to this endpoint appears here. Send a test message to see one.
    </EmptyState>
  );
}
