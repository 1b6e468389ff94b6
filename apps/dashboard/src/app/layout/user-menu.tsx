import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconBook, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { doneSchema, type SessionBody } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { request } from '../../shared/api/request.ts';
import { messageOf } from '../../shared/components/error-notice.tsx';
import { notifyFailure } from '../../shared/components/notify.tsx';
import { drafts } from '../../shared/drafts/draft-store.ts';
import { markSignedOut } from '../../shared/session/sign-out.ts';
import { findShortcut } from '../../shared/shortcuts/shortcuts.ts';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './account-switcher.module.css';

export function UserMenu({ session: { user } }: { readonly session: SessionBody }) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <UnstyledButton className={classes['person']}>
            <Avatar name={user.name} size={30} color="iris" aria-hidden />
            <Text size="sm" truncate>
              {user.name}
            </Text>
            <VisuallyHidden>: user menu</VisuallyHidden>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item leftSection={<IconUserCircle size={16} />} onClick={() => void navigate({ to: '/profile' })}>
            Profile
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs/api" target="_blank">
            API reference
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => findShortcut('?')?.run()}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ColorSchemeSwitch />
    </Group>
  );
}

function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => request({ method: 'DELETE', path: '/session', schema: doneSchema }),
    onSuccess: () => {
      drafts.clear();
      markSignedOut(queryClient);
      void router.navigate({ to: '/sign-in' });
    },
    onError: (error) => notifyFailure('Could not sign out', messageOf(error)),
  });
}
