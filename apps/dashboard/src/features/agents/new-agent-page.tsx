import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notifyDone } from '../../shared/components/notify.tsx';
import { Page } from '../../shared/components/page.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { emptyDraft } from './agent-draft.ts';
import { AgentEditor } from './agent-editor.tsx';
import { useSaveAgent } from './queries.ts';

export function NewAgentPage() {
  const { account_id: accountId } = useAccount();
  const navigate = useNavigate();
  const save = useSaveAgent(accountId);
  const [draft] = useState(emptyDraft);
  return (
    <Page title="New agent" description="What the agent says, in the order in which it says it.">
      <AgentEditor
        draft={draft}
        draftName="agent:new"
        save={save}
        saveLabel="Create agent"
        unchangedText="It needs a name and a first message."
        onSaved={(agent) => {
          notifyDone(`Agent “${agent.name}” was created.`);
          void navigate({ to: '/accounts/$accountId/agents/$agentId', params: { accountId, agentId: agent.id } });
        }}
      />
    </Page>
  );
}
