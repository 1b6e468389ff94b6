import { Alert, Group, Stack, Text } from '@mantine/core';
import type { WebhookEndpointBody } from '@outdial/contracts';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { RelativeTime } from '../../shared/components/time-text.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { endpointQuery } from './queries.ts';
import type { DeliveriesSearch } from './search.ts';
import { StateBadge } from './state-badge.tsx';
import { endpointWords, errorWords, typesWords } from './webhook-words.ts';

const FROM = '/signed-in/accounts/$accountId/webhooks/$endpointId';

export function EndpointPage() {
  const { account_id: accountId, isOwner } = useAccount();
  const { endpointId } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const navigate = useNavigate();
  const endpoint = useQuery(endpointQuery(accountId, endpointId));
  const go = (part: Partial<DeliveriesSearch>) =>
    void navigate({
      to: '/accounts/$accountId/webhooks/$endpointId',
      params: { accountId, endpointId },
      search: { ...search, ...part },
      replace: true,
    });
  return (
    <Page
      title={endpoint.data?.url ?? 'Endpoint'}
      description={
        <LinkText to="/accounts/$accountId/webhooks" params={{ accountId }} size="sm">
          All webhooks
        </LinkText>
      }
      actions={
        isOwner && endpoint.data ? <EndpointActions accountId={accountId} endpoint={endpoint.data} /> : undefined
      }
    >
      <Loaded query={endpoint} what="the endpoint" skeleton={<PanelSkeleton />}>
        {(data) => (
          <>
            <Facts endpoint={data} />
            <Deliveries accountId={accountId} endpointId={endpointId} search={search} onChange={go} />
          </>
        )}
      </Loaded>
      <MessageDialog
        accountId={accountId}
        endpointId={endpointId}
        messageId={search.message}
        mayResend={isOwner && endpoint.data?.state === 'enabled'}
        onClose={() => go({ message: undefined })}
      />
    </Page>
  );
}

function Facts({ endpoint }: { readonly endpoint: WebhookEndpointBody }) {
  const { description, events, last_success_at: lastSuccessAt, last_error: lastError } = endpoint;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <StateBadge words={endpointWords(endpoint)} />
        <Text size="sm">Events: {typesWords(events)}</Text>
        <Text size="sm">Last success: {lastSuccessAt === null ? 'never' : <RelativeTime at={lastSuccessAt} />}</Text>
        {lastError !== null && <Text size="sm">Last error: {errorWords(lastError.error, lastError.status)}</Text>}
      </Group>
      {description !== '' && <Text size="sm">{description}</Text>}
      {endpoint.running_replay_id !== null && (
        <Alert variant="light" icon={<IconRefresh aria-hidden />} title="A replay is under way" role="status">
          Its deliveries appear below as they become due.
        </Alert>
      )}
    </Stack>
  );
}
