import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SessionBody } from '@outdial/contracts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { chooseAccount } from '../../shared/session/last-account.ts';
import { membershipOf, sessionQuery } from '../../shared/session/session.ts';
import { Brand } from './brand.tsx';
import { RedirectToSignIn } from './redirect-to-sign-in.tsx';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { Sidebar } from './sidebar.tsx';
import classes from './app-layout.module.css';

/** Wraps every page of a signed-in user. */
export function AppLayout() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session === null ? <RedirectToSignIn /> : <Layout session={session} />;
}

function Layout({ session }: { readonly session: SessionBody }) {
  const { accountId } = useParams({ strict: false });
  const account = (accountId && membershipOf(session, accountId)) || chooseAccount(session.memberships);
  const [isOpen, menu] = useDisclosure(false);
  const main = useFocusOnNavigation(menu.close);

  return (
    <div className={classes['layout']}>
      <a href="#main" className={classes['skip']}>
        Skip to content
      </a>
      <header className={classes['header']}>
        <Brand />
        <Burger
          opened={isOpen}
          onClick={menu.toggle}
          size="sm"
          aria-label={isOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isOpen}
        />
      </header>
      {/* On a narrow screen the open sidebar covers the page; the closed one is not rendered. */}
      <aside className={classes['sidebar']} data-open={isOpen} aria-label="Account and navigation">
        <Sidebar session={session} account={account} />
      </aside>
      <main id="main" tabIndex={-1} ref={main} className={classes['main']}>
        <div className={classes['content']}>
          <Outlet />
        </div>
      </main>
      <ShortcutsHelp />
    </div>
  );
}

/** Moves the focus to the new page. Otherwise a screen reader would stay on the link. */
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
