import type { ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { unreachable } from '../../shared/api/api-error.ts';
import { isReachable } from '../../shared/api/reachable.ts';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { Page } from '../../shared/components/page.tsx';
import { SignedOut } from '../../shared/session/session.ts';
import { PageNotLoaded } from '../page-not-loaded.ts';
import { PendingPage } from './pending-page.tsx';

/** Shown instead of a page that failed to render. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  // The layout redirects to the sign-in page.
  if (error instanceof SignedOut) return <PendingPage />;
  if (error instanceof PageNotLoaded) return <NotLoadedPage />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something went wrong">
      <ErrorNotice title="Could not show this page" error={error} onRetry={retry} />
    </Page>
  );
}

/** A browser does not retry a module that failed to load. Retrying reloads the whole page once the service answers. */
function NotLoadedPage() {
  return (
    <Page title="Page not loaded">
      <ErrorNotice title="Could not load this page" error={unreachable()} onRetry={() => void reloadIfReachable()} />
    </Page>
  );
}

async function reloadIfReachable(): Promise<void> {
  if (await isReachable()) location.reload();
}
