import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { membershipOf, useSession } from '../../shared/session/session.ts';
import { chooseAccount } from '../../shared/session/last-account.ts';
import { Brand } from './brand.tsx';
import { Sidebar } from './sidebar.tsx';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import classes from './app-layout.module.css';

/** Around every page of whoever has signed in. */
export function AppLayout() {
  const session = useSession();
  const { accountId } = useParams({ strict: false });
  const account = (accountId && membershipOf(session, accountId)) || chooseAccount(session.memberships);
  const [isOpen, menu] = useDisclosure(false);
  const main = useFocusOnNavigation(menu.close);

  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#main" className={classes['skip']}>
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between">
          <Brand />
          <Burger opened={isOpen} onClick={menu.toggle} size="sm" aria-label={isOpen ? 'Close menu' : 'Open menu'} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Sidebar session={session} account={account} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <div className={classes['content']}>
          <Outlet />
        </div>
      </AppShell.Main>
      <ShortcutsHelp />
    </AppShell>
  );
}

/** A new page is begun from its start: readers of the screen would stay on the link otherwise. */
function useFocusOnNavigation(onNavigate: () => void) {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    if (before.current !== undefined) main.current?.focus({ preventScroll: true });
    before.current = path;
    onNavigate();
  }, [path, onNavigate]);
  return main;
}
