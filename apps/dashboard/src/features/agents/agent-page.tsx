import { Alert, Badge, Stack } from '@mantine/core';
import type { AgentBody } from '@outdial/contracts';
import { IconAlertTriangle, IconLock, IconMapQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { agentQuery } from '../../shared/account/queries.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { CopyText } from '../../shared/components/copy-text.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { LinkButton } from '../../shared/components/links.tsx';
import { Loaded } from '../../shared/components/loaded.tsx';
import { notifyDone } from '../../shared/components/notify.tsx';
import { Page } from '../../shared/components/page.tsx';
import { PanelSkeleton } from '../../shared/components/skeletons.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { AgentMarks, TestCall } from './agent-table.tsx';
import { ConductedEditor } from './conducted/conducted-editor.tsx';
import { conductedDraftOf } from './draft/conducted-draft.ts';
import { emptyScriptedDraft, scriptedDraftOf } from './draft/scripted-draft.ts';
import { DRIVER_WORDS } from './driver-words.ts';
import { ScriptedEditor } from './scripted-editor.tsx';
import { useSaveAgent } from './queries.ts';
import { ConflictNotice, currentVersionOf, ReplacesNotice } from './version-conflict.tsx';
import { EvaluationPanel } from './evaluations/evaluation-panel.tsx';
import { TryPanel } from './try/try-panel.tsx';
import { VersionList } from './versions/version-list.tsx';

const route = getRouteApi('/signed-in/accounts/$accountId/agents/$agentId');

export function AgentPage() {
  const { account_id: accountId } = useAccount();
  const { agentId } = route.useParams();
  // Not refetched while the user edits: another member's version would replace the user's input.
  const agent = useQuery({
    ...agentQuery(accountId, agentId),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (agent.error instanceof ApiError && agent.error.status === 404) return <AgentNotFound accountId={accountId} />;
  const { data } = agent;
  return (
    <Page
      title={data?.name ?? 'Agent'}
      actions={
        data && (
          <>
            <AgentMarks agent={data} />
            {data.driver !== null && (
              <Badge variant="default" tt="none" fw={500}>
                {DRIVER_WORDS[data.driver]}
              </Badge>
            )}
            <Badge variant="default" tt="none" fw={500}>
              Version {data.version}
            </Badge>
            <CopyText text={data.id} label="Copy agent ID" />
            <TestCall accountId={accountId} agent={data} />
          </>
        )
      }
    >
      <Loaded query={agent} what="the agent" skeleton={<PanelSkeleton />}>
        {(agent) => <Agent accountId={accountId} agent={agent} />}
      </Loaded>
    </Page>
  );
}

/** The same page for an agent that does not exist and for one that the account may not use. */
function AgentNotFound({ accountId }: { readonly accountId: string }) {
  return (
    <Page title="Agent not found">
      <EmptyState
        icon={IconMapQuestion}
        title="We could not find this agent"
        action={
          <LinkButton to="/accounts/$accountId/agents" params={{ accountId }}>
            Go to agents
          </LinkButton>
        }
      >
        Check the address. The agent may belong to an account that has not shared it with yours.
      </EmptyState>
    </Page>
  );
}

interface AgentProps {
  readonly accountId: string;
  readonly agent: AgentBody;
}

function Agent({ accountId, agent }: AgentProps) {
  if (agent.owned) return <OwnAgent key={agent.version} accountId={accountId} agent={agent} />;
  return (
    <>
      <Problem agent={agent} />
      <Alert variant="light" icon={<IconLock aria-hidden />} title="Shared by another account">
        You can place calls with this agent. Only the account that owns it can view and edit its settings.
      </Alert>
    </>
  );
}

function OwnAgent({ accountId, agent }: AgentProps) {
  // Another member may save a newer version. This form replaces it only after the user decides to.
  const [baseVersion, setBaseVersion] = useState(agent.version);
  const save = useSaveAgent(accountId, { id: agent.id, version: baseVersion });
  const { settings } = agent;
  const editor = {
    draftName: `agent:${agent.id}:${agent.version}`,
    save,
    saveLabel: 'Save new version',
    unchangedText: 'No changes.',
    onSaved: ({ version }: AgentBody) => notifyDone(`Version ${version} saved. Open calls keep their version.`),
    renderError: (error: Error) => {
      const current = currentVersionOf(error);
      if (current === null) return null;
      const keep = () => {
        setBaseVersion(current);
        save.reset();
      };
      return <ConflictNotice accountId={accountId} agentId={agent.id} current={current} onKeep={keep} />;
    },
  };
  return (
    <Stack gap="xl">
      <Problem agent={agent} />
      {baseVersion !== agent.version && <ReplacesNotice version={baseVersion} />}
      {settings === null || settings.driver === 'scripted' ? (
        <ScriptedEditor
          {...editor}
          draft={settings === null ? { ...emptyScriptedDraft(), name: agent.name } : scriptedDraftOf(settings)}
        />
      ) : (
        <ConductedEditor {...editor} draft={conductedDraftOf(settings)} />
      )}
      <TryPanel accountId={accountId} agent={agent} />
      <EvaluationPanel accountId={accountId} agent={agent} />
      <VersionList accountId={accountId} agent={agent} />
    </Stack>
  );
}

function Problem({ agent }: { readonly agent: AgentBody }) {
  if (agent.problem === null) return null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="This agent cannot place calls">
      {agent.problem}
    </Alert>
  );
}
