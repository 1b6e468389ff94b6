import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpointBody, WebhookHourBody } from '@outdial/contracts';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../shared/components/data-table.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { ActivityBar } from './activity-bar.tsx';
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx';
import { PerCallSecret } from './per-call-secret.tsx';
import { activityQuery, endpointsQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { endpointWords, errorWords, typesWords } from './webhook-words.ts';

export function WebhooksPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const endpoints = useQuery(endpointsQuery(accountId));
  const activity = useQuery(activityQuery(accountId));
  const hoursOf = (id: string) => activity.data?.find(({ endpoint_id: of }) => of === id)?.hours;
  const [isCreating, creating] = useDisclosure(false);
  const create = isOwner ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Add endpoint
    </Button>
  ) : undefined;
  return (
    <Page
      title="Webhooks"
      description="Your programs receive messages about your calls and campaigns. Messages are signed, arrive in order within each call, and are retried for up to three days."
      actions={endpoints.data && endpoints.data.length > 0 ? create : undefined}
    >
      <Loaded query={endpoints} what="the endpoints" skeleton={<TableSkeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No endpoints yet" action={create}>
              {isOwner ? 'Add the URL of your program.' : 'Ask an owner to add one.'}
            </EmptyState>
          ) : (
            <DataTable
              label="Endpoints"
              columns={['URL', 'State', 'Last 24 hours', 'Events', 'Last success', 'Last error']}
              minWidth={940}
            >
              {list.map((endpoint) => (
                <EndpointRow key={endpoint.id} accountId={accountId} endpoint={endpoint} hours={hoursOf(endpoint.id)} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      <PerCallSecret accountId={accountId} isOwner={isOwner} />
      <CreateEndpointDialog accountId={accountId} isOpen={isCreating} onClose={creating.close} />
    </Page>
  );
}

interface EndpointRowProps {
  readonly accountId: string;
  readonly endpoint: WebhookEndpointBody;
  /** Undefined while they load. */
  readonly hours: readonly WebhookHourBody[] | undefined;
}

function EndpointRow({ accountId, endpoint, hours }: EndpointRowProps) {
  const { id, url, description, events, last_success_at: lastSuccessAt, last_error: lastError } = endpoint;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <div>
          <LinkText to="/accounts/$accountId/webhooks/$endpointId" params={{ accountId, endpointId: id }} size="sm">
            {url}
          </LinkText>
          {description !== '' && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td>
        <StateBadge words={endpointWords(endpoint)} />
      </Table.Td>
      <Table.Td>{hours && <ActivityBar hours={hours} />}</Table.Td>
      <Table.Td>{typesWords(events)}</Table.Td>
      <Table.Td>{lastSuccessAt === null ? 'Never' : <RelativeTime at={lastSuccessAt} />}</Table.Td>
      <Table.Td>{lastError === null ? 'None' : errorWords(lastError.error, lastError.status)}</Table.Td>
    </Table.Tr>
  );
}
