import { Divider, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Membership, SessionBody } from '@outdial/contracts';
import { IconPhonePlus } from '@tabler/icons-react';
import { LinkButton } from '../../shared/components/links.tsx';
import { useShortcut } from '../../shared/shortcuts/shortcuts.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { Brand } from './brand.tsx';
import { AccountNavigation, PlatformNavigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';
import classes from './sidebar.module.css';

interface SidebarProps {
  readonly session: SessionBody;
  /** Undefined: the user belongs to no account. */
  readonly account: Membership | undefined;
}

export function Sidebar({ session, account }: SidebarProps) {
  return (
    <Stack h="100%" gap="sm">
      <Group px="xs" pt={4} visibleFrom="sm">
        <Brand />
      </Group>
      {account && <AccountSwitcher account={account} memberships={session.memberships} />}
      {account && <PlaceCall accountId={account.account_id} />}
      <nav aria-label="Main" className={classes['navigation']}>
        <Stack gap={2}>
          {account && <AccountNavigation accountId={account.account_id} isOwner={account.role === 'owner'} />}
          {session.user.is_operator && (
            <>
              <Divider my="xs" />
              <PlatformNavigation />
            </>
          )}
        </Stack>
      </nav>
      <UserMenu session={session} />
    </Stack>
  );
}

function PlaceCall({ accountId }: { readonly accountId: string }) {
  const navigate = useNavigate();
  useShortcut(
    'n',
    'Place a call',
    () => void navigate({ to: '/accounts/$accountId/calls/new', params: { accountId } }),
  );
  return (
    <LinkButton
      to="/accounts/$accountId/calls/new"
      params={{ accountId }}
      leftSection={<IconPhonePlus size={17} stroke={1.8} aria-hidden />}
      rightSection={
        <span className={classes['hint']} aria-hidden>
          n
        </span>
      }
      classNames={{ label: classes['grow'] ?? '', inner: classes['inner'] ?? '' }}
      fullWidth
    >
      Place a call
    </LinkButton>
  );
}
