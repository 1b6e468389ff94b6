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

/** In the place of a page that could not be shown. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  // The layout leads to the sign-in.
  if (error instanceof SignedOut) return <PendingPage />;
  if (error instanceof PageNotLoaded) return <NotLoadedPage />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something went wrong">
      <ErrorNotice title="This page could not be shown" error={error} onRetry={retry} />
    </Page>
  );
}

/** A module that failed to load may not be asked for twice: the page is loaded again as a whole, once that can succeed. */
function NotLoadedPage() {
  return (
    <Page title="This page is not loaded yet">
      <ErrorNotice
        title="This page could not be loaded"
        error={unreachable()}
        onRetry={() => void reloadIfReachable()}
      />
    </Page>
  );
}

async function reloadIfReachable(): Promise<void> {
  if (await isReachable()) location.reload();
}
