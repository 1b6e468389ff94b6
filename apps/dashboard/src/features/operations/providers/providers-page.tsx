import { Alert, Stack, Text } from '@mantine/core';
import { IconCloudOff, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { AccountBreakers } from './account-breakers.tsx';
import { OperatedCredentialTable } from './credential-table.tsx';
import { providersQuery } from './queries.ts';

const TITLE = 'Providers';

export function ProvidersPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Providers />
    </OperatorsArea>
  );
}

function Providers() {
  const providers = useQuery(providersQuery);
  return (
    <Page
      title={TITLE}
      description="The operator’s credentials at model providers. Those that take fewer calls than they could come first. Updates every five seconds."
    >
      <Loaded query={providers} what="providers" skeleton={<TableSkeleton />}>
        {(data) => (
          <Stack gap="xl">
            {data.account_breakers === null && (
              <Alert color="orange" icon={<IconCloudOff aria-hidden />} title="Redis does not answer">
                Breakers and calls in use are unknown until it does.
              </Alert>
            )}
            {data.credentials.length === 0 ? (
              <EmptyState icon={IconPlugConnected} title="No credentials yet">
                Add a key with npm run admin -- credentials add. Accounts without their own key then use it.
              </EmptyState>
            ) : (
              <OperatedCredentialTable credentials={data.credentials} />
            )}
            {data.has_more && (
              <Text size="sm" c="dimmed">
                There are more credentials. npm run admin -- credentials list shows all of them.
              </Text>
            )}
            <AccountBreakers {...data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
