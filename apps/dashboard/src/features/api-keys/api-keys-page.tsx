import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKeyBody } from '@outdial/contracts';
import { IconKey, IconLock, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyList } from './key-list.tsx';
import { apiKeysQuery } from './queries.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { UsageSnippet } from './usage-snippet.tsx';

export function ApiKeysPage() {
  const { account_id: accountId, isOwner } = useAccount();
  if (!isOwner) return <OwnersOnly />;
  return <OwnersPage accountId={accountId} />;
}

function OwnersPage({ accountId }: { readonly accountId: string }) {
  const keys = useQuery(apiKeysQuery(accountId));
  const [isCreating, creating] = useDisclosure(false);
  const revoking = useDialogAbout<ApiKeyBody>();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Create API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description="Use API keys to place calls and read results from your own software."
      actions={keys.data && keys.data.length > 0 ? create : undefined}
    >
      <Loaded query={keys} what="API keys" skeleton={<TableSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconKey} title="No API keys yet" action={create}>
              Create one key for each application. We show its value only once.
            </EmptyState>
          ) : (
            <KeyList keys={list} onRevoke={revoking.open} />
          )
        }
      </Loaded>
      <UsageSnippet />
      <CreateKeyDialog accountId={accountId} isOpen={isCreating} onClose={creating.close} />
      <RevokeKeyDialog accountId={accountId} dialog={revoking} />
    </Page>
  );
}

function OwnersOnly() {
  return (
    <Page title="API keys">
      <EmptyState icon={IconLock} title="Only account owners can manage API keys">
        Ask an owner for a key or for the owner role.
      </EmptyState>
    </Page>
  );
}
