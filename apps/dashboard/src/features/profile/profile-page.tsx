import { Avatar, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { LinkText } from '../../shared/components/links.tsx';
import { Page } from '../../shared/components/page.tsx';
import { useSession } from '../../shared/session/session.ts';
import { EmailVerification } from './email-verification.tsx';
import { ChangePassword } from './change-password.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

export function ProfilePage() {
  const { user, memberships } = useSession();
  return (
    <Page title="Profile" description="Your details, accounts and password.">
      <Stack gap="lg" maw={640}>
        <Paper withBorder radius="lg" p="lg">
          <Group>
            <Avatar name={user.name} size={48} color="iris" aria-hidden />
            <div>
              <Text fw={600}>{user.name}</Text>
              <Text c="dimmed" size="sm">
                {user.email}
              </Text>
            </div>
            {user.is_operator && (
              <Badge variant="light" tt="none" ml="auto">
                Operator
              </Badge>
            )}
          </Group>
        </Paper>
        {!user.email_verified && <EmailVerification email={user.email} />}
        <Paper withBorder radius="lg" p="lg">
          <Stack gap="sm">
            <Title order={2} size="h4">
              Accounts
            </Title>
            {memberships.length === 0 && (
              <Text c="dimmed" size="sm">
                You do not belong to any account yet. Ask an account owner to invite you.
              </Text>
            )}
            {memberships.map(({ account_id: accountId, account_name: name, role }) => (
              <Group key={accountId} justify="space-between">
                <LinkText to="/accounts/$accountId/calls" params={{ accountId }}>
                  {name}
                </LinkText>
                <Text size="sm" c="dimmed">
                  {role === 'owner' ? 'Owner' : 'Member'}
                </Text>
              </Group>
            ))}
          </Stack>
        </Paper>
        <ChangePassword email={user.email} />
        <SignOutEverywhere />
      </Stack>
    </Page>
  );
}
