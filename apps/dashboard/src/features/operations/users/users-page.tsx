import { Button, Group, Stack, Text } from '@mantine/core';
import type { OperatedUserBody } from '@outdial/contracts';
import { IconShield, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LinkText } from '../../../shared/components/links.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TableSkeleton } from '../../../shared/components/skeletons.tsx';
import { DateTime } from '../../../shared/components/time-text.tsx';
import { ToneBadge } from '../../../shared/components/tone-badge.tsx';
import { useDialogAbout, type DialogAbout } from '../../../shared/hooks/use-dialog-about.ts';
import { useSession } from '../../../shared/session/session.ts';
import { EnabledBadge } from '../parts/enabled-badge.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { OperatorsArea } from '../parts/operators-area.tsx';
import { SearchField, useSearch } from '../parts/search-field.tsx';
import { StackedRow, StackedTable } from '../parts/stacked-table.tsx';
import { operatedUsersQuery, useChangeUser } from './queries.ts';
import { actionsOn, type UserAction } from './user-actions.ts';

const TITLE = 'Users';

export function UsersPage() {
  return (
    <OperatorsArea title={TITLE}>
      <Users />
    </OperatorsArea>
  );
}

function Users() {
  const search = useSearch();
  const users = useInfiniteQuery(operatedUsersQuery(search.search));
  const dialog = useDialogAbout<UserAction>();
  return (
    <Page title={TITLE} description="All users, newest first: operators, members and disabled users.">
      <SearchField label="Search users" placeholder="Name or e-mail" search={search} />
      <Loaded query={users} what="users" skeleton={<TableSkeleton />}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.users);
          if (found.length > 0) return <UserTable users={found} onAct={dialog.open} />;
          return (
            <EmptyState icon={IconUsers} title="No users found">
              Search by part of a name or e-mail address.
            </EmptyState>
          );
        }}
      </Loaded>
      <LoadMore list={users} />
      <ActionDialog dialog={dialog} />
    </Page>
  );
}

interface UserTableProps {
  readonly users: readonly OperatedUserBody[];
  readonly onAct: (action: UserAction) => void;
}

function UserTable({ users, onAct }: UserTableProps) {
  const { user: own } = useSession();
  return (
    <StackedTable label="Users" columns={['User', 'Status', 'Accounts', 'Created']}>
      {users.map((user) => (
        <StackedRow
          key={user.id}
          cells={{
            User: (
              <Stack gap={0}>
                <Text size="sm" fw={550}>
                  {user.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {user.email}
                </Text>
              </Stack>
            ),
            Status: (
              <Group gap="xs">
                <EnabledBadge isEnabled={user.enabled} />
                {user.is_operator && (
                  <ToneBadge tone="active" icon={<IconShield size={13} aria-hidden />}>
                    Operator
                  </ToneBadge>
                )}
              </Group>
            ),
            Accounts: <Memberships user={user} />,
            Created: <DateTime at={user.created_at} />,
          }}
          actions={actionsOn(user, own.id).map((action) => (
            <Button
              key={action.label}
              size="xs"
              variant="default"
              onClick={() => onAct(action)}
              aria-label={`${action.label}: ${user.email}`}
            >
              {action.label}
            </Button>
          ))}
        />
      ))}
    </StackedTable>
  );
}

function Memberships({ user }: { readonly user: OperatedUserBody }) {
  if (user.memberships.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  }
  return (
    <Stack gap={2}>
      {user.memberships.map(({ account_id: accountId, account_name: name, role }) => (
        <Text key={accountId} size="sm" component="div">
          <LinkText to="/operations/accounts/$operatedId" params={{ operatedId: accountId }} size="sm">
            {name}
          </LinkText>
          , {role}
        </Text>
      ))}
    </Stack>
  );
}

function ActionDialog({ dialog }: { readonly dialog: DialogAbout<UserAction> }) {
  const change = useChangeUser();
  const { subject: action, isOpen } = dialog;
  const confirm = () => {
    if (action === null) return;
    change.mutate(action.change, {
      onSuccess: () => {
        dialog.close();
        notifyDone(action.done);
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={dialog.close}
      title={action?.title ?? ''}
      confirmLabel={action?.confirmLabel ?? ''}
      onConfirm={confirm}
      action={change}
    >
      {action?.explanation}
    </ConfirmDialog>
  );
}
