import { IconPlus, IconRobotFace } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../../shared/account/queries.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { Page } from '../../shared/components/page.tsx';
import { TableSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { AgentTable } from './agent-table.tsx';

export function AgentsPage() {
  const { account_id: accountId } = useAccount();
  const agents = useQuery(agentsQuery(accountId));
  const create = (
    <LinkButton
      to="/accounts/$accountId/agents/new"
      params={{ accountId }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Create agent
    </LinkButton>
  );
  return (
    <Page
      title="Agents"
      description="An agent conducts calls, with models or by a script. Each save creates a version."
      actions={agents.data && agents.data.length > 0 ? create : undefined}
    >
      <Loaded query={agents} what="agents" skeleton={<TableSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconRobotFace} title="No agents yet" action={create}>
              Create your first agent. A scripted one needs a name and a first message, and no provider of models.
            </EmptyState>
          ) : (
            <AgentTable accountId={accountId} agents={list} />
          )
        }
      </Loaded>
    </Page>
  );
}
