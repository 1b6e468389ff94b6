import { Group, Stack } from '@mantine/core';
import { IconArrowLeft, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callingPolicyQuery } from '../../shared/account/calling-policy.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { LinkText } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { PolicyEditor } from './editor/policy-editor.tsx';
import { policyVersionQuery } from './queries.ts';

export function EditHoursPage() {
  const { account_id: accountId, isOwner } = useAccount();
  return (
    <Stack gap="xs">
      <LinkText to="/accounts/$accountId/calling-hours" params={{ accountId }} size="sm">
        <Group gap={4} component="span" w="fit-content">
          <IconArrowLeft size={14} aria-hidden />
          Calling hours
        </Group>
      </LinkText>
      <Page title="Edit calling hours" description="This is a tool, not legal advice: you answer for when you call.">
        {isOwner ? (
          <Editor accountId={accountId} />
        ) : (
          <EmptyState icon={IconLock} title="Only owners change the calling hours">
            Ask an owner of your account.
          </EmptyState>
        )}
      </Page>
    </Stack>
  );
}

function Editor({ accountId }: { readonly accountId: string }) {
  const { version } = useSearch({ from: '/signed-in/accounts/$accountId/calling-hours/edit' });
  const navigate = useNavigate();
  // Not refetched while the user edits: another member's version would replace the user's input.
  const policy = useQuery({
    ...callingPolicyQuery(accountId),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const old = useQuery(policyVersionQuery(accountId, version === undefined ? null : Number(version)));
  if (old.isLoading) return <PanelSkeleton />;
  return (
    <>
      {old.isError && <ErrorNotice title="Could not load the version to use again" error={old.error} />}
      <Loaded query={policy} what="the calling hours" skeleton={<PanelSkeleton />}>
        {({ calling_policy: inForce }) => (
          <PolicyEditor
            key={inForce.version}
            inForce={inForce}
            filledWith={old.data ?? null}
            // Otherwise a reload would fill the form again, and lose what the user changed since.
            onFilled={() =>
              void navigate({ to: '/accounts/$accountId/calling-hours/edit', params: { accountId }, replace: true })
            }
            onSaved={(saved) => {
              notifyDone(`Calling hours saved as version ${saved}. Calls that wait for them are looked at again.`);
              void navigate({ to: '/accounts/$accountId/calling-hours', params: { accountId } });
            }}
          />
        )}
      </Loaded>
    </>
  );
}
