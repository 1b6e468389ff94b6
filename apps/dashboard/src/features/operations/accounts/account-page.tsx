import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OperatedAccountBody } from '@outdial/contracts';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { messageOf } from '../../../shared/components/error-notice.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { notifyDone, notifyFailure } from '../../../shared/components/notify.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { PanelSkeleton } from '../../../shared/components/skeletons.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AccountLimits } from './account-limits.tsx';
import { AccountNumbers } from './account-numbers.tsx';
import { operatedAccountQuery, useEnableAccount } from './queries.ts';

export function OperatedAccountPage() {
  return (
    <OperatorsArea title="Account">
      <Account />
    </OperatorsArea>
  );
}

function Account() {
  const { operatedId = '' } = useParams({ strict: false });
  const account = useQuery(operatedAccountQuery(operatedId));
  return (
    <Page
      title={account.data?.name ?? 'Account'}
      actions={
        <>
          <LinkButton
            to="/operations/accounts"
            variant="subtle"
            leftSection={<IconArrowLeft size={16} stroke={1.6} aria-hidden />}
          >
            All accounts
          </LinkButton>
          {account.data && <EnableButton account={account.data} />}
        </>
      }
    >
      <Loaded query={account} what="the account" skeleton={<PanelSkeleton />}>
        {(data) => (
          <Stack gap="xl">
            <AccountFacts account={data} />
            <AccountLimits key={data.id} account={data} />
            <AccountNumbers account={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function EnableButton({ account }: { readonly account: OperatedAccountBody }) {
  const enable = useEnableAccount(account.id);
  const [isOpen, dialog] = useDisclosure(false);
  if (!account.enabled) {
    return (
      <Button
        loading={enable.isPending}
        onClick={() =>
          enable.mutate(true, {
            onSuccess: () => notifyDone(`${account.name} enabled.`),
            onError: (error) => notifyFailure('Could not enable the account', messageOf(error)),
          })
        }
      >
        Enable account
      </Button>
    );
  }
  const disable = () =>
    enable.mutate(false, {
      onSuccess: () => {
        dialog.close();
        notifyDone(`${account.name} disabled.`);
      },
    });
  return (
    <Group>
      <Button variant="default" c="var(--mantine-color-error)" onClick={dialog.open}>
        Disable account
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title={`Disable ${account.name}?`}
        confirmLabel="Disable account"
        onConfirm={disable}
        action={enable}
      >
        API keys stop working within a second, members lose access, and queued calls are cancelled. Calls in progress
        continue. You can enable the account again.
      </ConfirmDialog>
    </Group>
  );
}
