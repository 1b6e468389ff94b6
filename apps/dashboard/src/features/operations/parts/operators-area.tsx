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

/** Shows a page to operators, and says who they are to everybody else. The API refuses everybody else by itself. */
export function OperatorsArea({ title, children }: OperatorsAreaProps) {
  const { user } = useSession();
  if (user.is_operator) return children;
  return (
    <Page title={title}>
      <EmptyState
        icon={IconLock}
        title="For operators of the platform"
        action={<LinkButton to="/">To your calls</LinkButton>}
      >
        You are not an operator. Another operator can give you the role, or the command line of this installation can.
      </EmptyState>
    </Page>
  );
}
