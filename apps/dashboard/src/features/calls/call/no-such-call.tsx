import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { Page } from '../../../shared/components/page.tsx';

/** The same for one that does not exist and for one of another account. */
export function NoSuchCall({ accountId }: { readonly accountId: string }) {
  return (
    <Page title="Call not found">
      <EmptyState
        icon={IconMapQuestion}
        title="There is no such call"
        action={
          <LinkButton to="/accounts/$accountId/calls" params={{ accountId }}>
            To your calls
          </LinkButton>
        }
      >
        The address may be mistyped, or the call belongs to another account.
      </EmptyState>
    </Page>
  );
}
