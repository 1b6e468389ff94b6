import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CredentialBody } from '@outdial/contracts';
import { IconLock, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { credentialsQuery } from '../../shared/account/credentials.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { CheckCredentialDialog } from './check-credential-dialog.tsx';
import { CreateCredentialDialog } from './create-credential-dialog.tsx';
import { CredentialTable } from './credential-table.tsx';
import { DeleteCredentialDialog } from './delete-credential-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { RotateCredentialDialog } from './rotate-credential-dialog.tsx';
import { SecretsSection } from './secrets/secrets-section.tsx';

export function CredentialsPage() {
  const { account_id: accountId, isOwner } = useAccount();
  if (!isOwner) return <OwnersOnly />;
  return <OwnersPage accountId={accountId} />;
}

function OwnersPage({ accountId }: { readonly accountId: string }) {
  const credentials = useQuery(credentialsQuery(accountId));
  const [isCreating, creating] = useDisclosure(false);
  const checking = useDialogAbout<CredentialBody>();
  const limiting = useDialogAbout<CredentialBody>();
  const rotating = useDialogAbout<CredentialBody>();
  const deleting = useDialogAbout<CredentialBody>();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Add credential
    </Button>
  );
  return (
    <Page
      title="Credentials"
      description="Your keys of model providers. Agents use them, and the provider bills you. An agent without one uses the operator’s, where there is one."
      actions={credentials.data && credentials.data.length > 0 ? create : undefined}
    >
      <Loaded query={credentials} what="credentials" skeleton={<TableSkeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconPlugConnected} title="No credentials yet" action={create}>
              Add your key of a provider such as OpenAI. We seal it and never show it again.
            </EmptyState>
          ) : (
            <CredentialTable
              credentials={list}
              onCheck={checking.open}
              onLimits={limiting.open}
              onRotate={rotating.open}
              onDelete={deleting.open}
            />
          )
        }
      </Loaded>
      <SecretsSection accountId={accountId} />
      <CreateCredentialDialog accountId={accountId} isOpen={isCreating} onClose={creating.close} />
      <CheckCredentialDialog accountId={accountId} dialog={checking} />
      <LimitsDialog accountId={accountId} dialog={limiting} />
      <RotateCredentialDialog accountId={accountId} dialog={rotating} />
      <DeleteCredentialDialog accountId={accountId} credentials={credentials.data ?? []} dialog={deleting} />
    </Page>
  );
}

function OwnersOnly() {
  return (
    <Page title="Credentials">
      <EmptyState icon={IconLock} title="Only account owners can manage credentials">
        Ask an owner for the name of a credential or for the owner role.
      </EmptyState>
    </Page>
  );
}
