import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { MemberBody } from '@outdial/contracts';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useDialogAbout } from '../../shared/hooks/use-dialog-about.ts';
import { useAccount } from '../../shared/session/account.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberTable } from './member-table.tsx';
import { membersQuery } from './queries.ts';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

export function MembersPage() {
  const { account_id: accountId, account_name: accountName, isOwner } = useAccount();
  const members = useQuery(membersQuery(accountId));
  const [isInviting, inviting] = useDisclosure(false);
  const removing = useDialogAbout<MemberBody>();
  return (
    <Page
      title="Members"
      description={`People with access to ${accountName}. Owners also manage members, API keys and numbers.`}
      actions={
        isOwner && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={inviting.open}>
            Invite member
          </Button>
        )
      }
    >
      <Loaded query={members} what="members" skeleton={<TableSkeleton rows={3} />}>
        {({ members: list, invitations }) => (
          <>
            <MemberTable accountId={accountId} members={list} isOwner={isOwner} onRemove={removing.open} />
            {invitations.length > 0 && (
              <Stack gap="sm">
                <Title order={2} size="h4">
                  Pending invitations
                </Title>
                <InvitationTable accountId={accountId} invitations={invitations} />
              </Stack>
            )}
          </>
        )}
      </Loaded>
      <InviteDialog accountId={accountId} isOpen={isInviting} onClose={inviting.close} />
      <RemoveMemberDialog accountId={accountId} dialog={removing} />
    </Page>
  );
}
