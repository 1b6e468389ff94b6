import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Page } from '../../shared/components/page.tsx';

/** The same for what does not exist and for what is not the user's. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon={IconMapQuestion}
        title="There is nothing here"
        action={<LinkButton to="/">To your overview</LinkButton>}
      >
        The address may be mistyped, or it belongs to an account that you are not a member of.
      </EmptyState>
    </Page>
  );
}
