import { Avatar, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { ROLES, type MemberBody } from '@outdial/contracts';
import { DataTable } from '../../shared/components/data-table.tsx';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { notifyDone, notifyFailure } from '../../shared/components/notify.tsx';
import { DateTime } from '../../shared/components/time-text.tsx';
import { useSession } from '../../shared/session/session.ts';
import { useChangeRole } from './queries.ts';
import { ROLE_WORDS } from './role-words.ts';

interface MemberTableProps {
  readonly accountId: string;
  readonly members: readonly MemberBody[];
  readonly isOwner: boolean;
  readonly onRemove: (member: MemberBody) => void;
}

export function MemberTable({ accountId, members, isOwner, onRemove }: MemberTableProps) {
  const { user } = useSession();
  const columns = ['Name', 'Role', 'Joined', ...(isOwner ? [''] : [])];
  return (
    <DataTable label="Members" columns={columns}>
      {members.map((member) => (
        <Table.Tr key={member.user_id}>
          <Table.Td>
            <Group gap="sm" wrap="nowrap">
              <Avatar name={member.name} size={32} color="iris" aria-hidden />
              <div>
                <Text size="sm" fw={550}>
                  {member.name}
                  {member.user_id === user.id && ' (you)'}
                </Text>
                <Text size="xs" c="dimmed">
                  {member.email}
                </Text>
              </div>
            </Group>
          </Table.Td>
          <Table.Td>
            {isOwner ? <RoleSelect accountId={accountId} member={member} /> : ROLE_WORDS[member.role]}
          </Table.Td>
          <Table.Td>
            <DateTime at={member.joined_at} />
          </Table.Td>
          {isOwner && (
            <Table.Td ta="right">
              <Button size="compact-sm" variant="subtle" color="red" onClick={() => onRemove(member)}>
                {member.user_id === user.id ? 'Leave' : 'Remove'}
              </Button>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function RoleSelect({ accountId, member }: { readonly accountId: string; readonly member: MemberBody }) {
  const change = useChangeRole(accountId);
  return (
    <NativeSelect
      aria-label={`Role of ${member.name}`}
      size="xs"
      w={120}
      // Shows the chosen role while the request is pending, then the service's.
      value={change.isPending ? change.variables.role : member.role}
      disabled={change.isPending}
      data={ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role] }))}
      onChange={({ currentTarget }) => {
        const role = ROLES.find((candidate) => candidate === currentTarget.value);
        if (role === undefined || role === member.role) return;
        change.mutate(
          { userId: member.user_id, role },
          {
            onSuccess: () => notifyDone(`${member.name} is now ${role === 'owner' ? 'an owner' : 'a member'}.`),
            onError: (error) => notifyFailure('Could not change the role', messageOf(error)),
          },
        );
      }}
    />
  );
}
