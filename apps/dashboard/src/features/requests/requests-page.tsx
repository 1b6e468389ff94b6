import { Group, Paper, Stack, Text } from '@mantine/core';
import type { AccountRequestBody } from '@outdial/contracts';
import { IconCheck, IconClock, IconMessageCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { ToneBadge } from '../../shared/components/tone-badge.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { requestsQuery } from './queries.ts';
import { SendRequest } from './send-request.tsx';

/** Where account owners send requests to the operators. */
export function RequestsPage() {
  const { account_id: accountId, role } = useAccount();
  const requests = useQuery(requestsQuery(accountId));
  return (
    <Page title="Requests" description="Ask your operator for a number, a top-up or a higher limit.">
      <Paper withBorder p="lg" radius="lg">
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            Account ID
          </Text>
          <Group gap={4} wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {accountId}
            </Text>
            <CopyText text={accountId} label="Copy account ID" />
          </Group>
        </Stack>
      </Paper>
      <Loaded query={requests} what="requests" skeleton={<TableSkeleton />}>
        {(data) => (
          <Stack gap="lg">
            {role === 'owner' && <SendRequest accountId={accountId} list={data} />}
            {data.requests.length === 0 ? (
              <EmptyState icon={IconMessageCircle} title="No requests yet">
                {role === 'owner'
                  ? 'Describe what you need above. Operators see it immediately.'
                  : 'Only account owners can send requests.'}
              </EmptyState>
            ) : (
              <RequestList requests={data.requests} />
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function RequestList({ requests }: { readonly requests: readonly AccountRequestBody[] }) {
  return (
    <Stack component="ul" p={0} m={0} gap="sm" aria-label="Requests" style={{ listStyle: 'none' }}>
      {requests.map((request) => (
        <Paper key={request.id} component="li" withBorder p="md" radius="lg">
          <Stack gap="xs" align="flex-start">
            <RequestState request={request} />
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {request.text}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {request.created_by ?? 'Deleted user'}, <DateTime at={request.created_at} />
            </Text>
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

function RequestState({ request }: { readonly request: AccountRequestBody }) {
  if (request.done_at === null) {
    return (
      <ToneBadge tone="active" icon={<IconClock size={13} aria-hidden />}>
        Open
      </ToneBadge>
    );
  }
  return (
    <ToneBadge tone="good" icon={<IconCheck size={13} aria-hidden />}>
      Done
    </ToneBadge>
  );
}
