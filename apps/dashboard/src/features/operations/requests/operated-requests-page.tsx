import { Button, SegmentedControl, Text } from '@mantine/core';
import type { AccountRequestBody } from '@outdial/contracts';
import { IconMessageCircleCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { messageOf } from '../../../shared/components/error-notice.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { notifyDone, notifyFailure } from '../../../shared/components/notify.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { operatedRequestsQuery, useMarkDone, type RequestState } from './queries.ts';

const TITLE = 'Account requests';

export function OperatedRequestsPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Requests />
    </OperatorsArea>
  );
}

function Requests() {
  const [state, setState] = useState<RequestState>('open');
  const requests = useInfiniteQuery(operatedRequestsQuery(state));
  return (
    <Page title={TITLE} description="Requests from account owners, such as a number or a top-up.">
      <SegmentedControl
        aria-label="Status"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'done', label: 'Done' },
        ]}
        value={state}
        onChange={(value) => setState(value === 'done' ? 'done' : 'open')}
      />
      <Loaded query={requests} what="requests" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.requests);
          if (found.length > 0) return <RequestTable requests={found} />;
          return (
            <EmptyState
              icon={IconMessageCircleCheck}
              title={state === 'open' ? 'No open requests' : 'No completed requests'}
            >
              {state === 'open'
                ? 'Account owners send requests from their Requests page.'
                : 'Requests that you mark as done appear here.'}
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore list={requests} />
    </Page>
  );
}

function RequestTable({ requests }: { readonly requests: readonly AccountRequestBody[] }) {
  const markDone = useMarkDone();
  return (
    <StackedTable label="Requests" columns={['Request', 'Account', 'Sent']}>
      {requests.map((request) => (
        <StackedRow
          key={request.id}
          cells={{
            Request: (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {request.text}
              </Text>
            ),
            Account: (
              <>
                <LinkText to="/operations/accounts/$operatedId" params={{ operatedId: request.account.id }} size="sm">
                  {request.account.name}
                </LinkText>
                <Text size="xs" c="dimmed">
                  {request.created_by ?? 'Deleted user'}
                </Text>
              </>
            ),
            Sent: <DateTime at={request.created_at} />,
          }}
          actions={
            request.done_at === null ? (
              <Button
                size="xs"
                variant="default"
                aria-label={`Mark as done: ${request.text.slice(0, 60)}`}
                loading={markDone.isPending && markDone.variables === request.id}
                onClick={() =>
                  markDone.mutate(request.id, {
                    onSuccess: () => notifyDone('Request marked as done.'),
                    onError: (error) => notifyFailure('Could not update the request', messageOf(error)),
                  })
                }
              >
                Mark as done
              </Button>
            ) : (
              <Text size="sm" c="dimmed">
                Done <DateTime at={request.done_at} />
              </Text>
            )
          }
        />
      ))}
    </StackedTable>
  );
}
