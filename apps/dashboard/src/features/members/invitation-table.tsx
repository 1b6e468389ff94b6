import { Button, Table } from '@mantine/core';
import type { InvitationBody } from '@outdial/contracts';
import { DataTable } from '../../shared/components/data-table.tsx';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { notifyDone, notifyFailure } from '../../shared/components/notify.tsx';
import { DateTime, RelativeTime } from '../../shared/components/time-text.tsx';
import { useWithdrawInvitation } from './queries.ts';
import { ROLE_WORDS } from './role-words.ts';

interface InvitationTableProps {
  readonly accountId: string;
  readonly invitations: readonly InvitationBody[];
}

/** Invitations that have not been accepted yet. */
export function InvitationTable({ accountId, invitations }: InvitationTableProps) {
  const withdraw = useWithdrawInvitation(accountId);
  return (
    <DataTable label="Invitations" columns={['E-mail', 'Role', 'Invited', 'Expires', '']}>
      {invitations.map((invitation) => (
        <Table.Tr key={invitation.id}>
          <Table.Td fw={550}>{invitation.email}</Table.Td>
          <Table.Td>{ROLE_WORDS[invitation.role]}</Table.Td>
          <Table.Td>
            <RelativeTime at={invitation.created_at} />
          </Table.Td>
          <Table.Td>
            <DateTime at={invitation.expires_at} />
          </Table.Td>
          <Table.Td ta="right">
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              loading={withdraw.isPending && withdraw.variables === invitation.id}
              onClick={() =>
                withdraw.mutate(invitation.id, {
                  onSuccess: () => notifyDone(`Invitation to ${invitation.email} withdrawn.`),
                  onError: (error) => notifyFailure('Could not withdraw the invitation', messageOf(error)),
                })
              }
            >
              Withdraw
            </Button>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
