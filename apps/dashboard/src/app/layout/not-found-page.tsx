import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Page } from '../../shared/components/page.tsx';

/** The same page for what does not exist and for what the user may not see. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon={IconMapQuestion}
        title="We could not find this page"
        action={<LinkButton to="/">Go to overview</LinkButton>}
      >
        Check the address. The page may belong to an account that you are not a member of.
      </EmptyState>
    </Page>
  );
}
