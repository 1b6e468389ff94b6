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
    <Page title="Create agent" description="Write what the agent says, in order.">
      <AgentEditor
        draft={draft}
        draftName="agent:new"
        save={save}
        saveLabel="Create agent"
        unchangedText="Enter a name and a first message."
        onSaved={(agent) => {
          notifyDone(`Agent “${agent.name}” created.`);
          void navigate({ to: '/accounts/$accountId/agents/$agentId', params: { accountId, agentId: agent.id } });
        }}
      />
    </Page>
  );
}
