import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { Page } from '../../../shared/components/page.tsx';

/** The same page for a call that does not exist and for one of another account. */
export function CallNotFound({ accountId }: { readonly accountId: string }) {
  return (
    <Page title="Call not found">
      <EmptyState
        icon={IconMapQuestion}
        title="We could not find this call"
        action={
          <LinkButton to="/accounts/$accountId/calls" params={{ accountId }}>
            Go to calls
          </LinkButton>
        }
      >
        Check the address. The call may belong to another account.
      </EmptyState>
    </Page>
  );
}
