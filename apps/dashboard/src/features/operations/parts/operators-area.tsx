import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LinkButton } from '../../../shared/components/links.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useSession } from '../../../shared/session/session.ts';

interface OperatorsAreaProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows a page to operators only, and an explanation to others. The API checks the role itself. */
export function OperatorsArea({ title, children }: OperatorsAreaProps) {
  const { user } = useSession();
  if (user.is_operator) return children;
  return (
    <Page title={title}>
      <EmptyState
        icon={IconLock}
        title="Only operators can view this page"
        action={<LinkButton to="/">Go to dashboard</LinkButton>}
      >
        Ask an operator to give you the role, or use the command line of this installation.
      </EmptyState>
    </Page>
  );
}
