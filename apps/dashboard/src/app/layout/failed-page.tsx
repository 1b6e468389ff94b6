import type { ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/components/error-notice.tsx';
import { Page } from '../../shared/components/page.tsx';
import { SignedOut } from '../../shared/session/session.ts';
import { PendingPage } from './pending-page.tsx';

/** In the place of a page that could not be shown. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  // The layout leads to the sign-in.
  if (error instanceof SignedOut) return <PendingPage />;
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
