import { Radio, Stack } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { DRIVERS, type AgentBody, type Driver } from '@outdial/contracts';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notifyDone } from '../../shared/components/notify.tsx';
import { Page } from '../../shared/components/page.tsx';
import { useAccount } from '../../shared/session/account.ts';
import { ConductedEditor } from './conducted/conducted-editor.tsx';
import { emptyConductedDraft, type ConductedDriver } from './draft/conducted-draft.ts';
import { emptyScriptedDraft } from './draft/scripted-draft.ts';
import { DRIVER_HINTS, DRIVER_WORDS } from './driver-words.ts';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useSaveAgent } from './queries.ts';
import { ScriptedEditor } from './scripted-editor.tsx';

const route = getRouteApi('/signed-in/accounts/$accountId/agents/new');

export function NewAgentPage() {
  const { driver = 'scripted' } = route.useSearch();
  return (
    <Page title="Create agent" description="Choose what conducts the calls, and how.">
      <Stack gap="lg">
        <DriverChoice driver={driver} />
        {driver === 'scripted' ? <NewScripted /> : <NewConducted key={driver} driver={driver} />}
      </Stack>
    </Page>
  );
}

/** Each driver keeps its own unsaved draft, so that a look at another one loses nothing. */
function DriverChoice({ driver }: { readonly driver: Driver }) {
  const { account_id: accountId } = useAccount();
  const navigate = useNavigate();
  const choose = (value: string) => {
    const chosen = DRIVERS.find((known) => known === value);
    void navigate({
      to: '/accounts/$accountId/agents/new',
      params: { accountId },
      search: { driver: chosen },
      replace: true,
    });
  };
  return (
    <FieldGroup title="Driver" description="What conducts the calls of this agent.">
      <Radio.Group aria-label="Driver" value={driver} onChange={choose}>
        <Stack gap="sm">
          {DRIVERS.map((value) => (
            <Radio key={value} value={value} label={DRIVER_WORDS[value]} description={DRIVER_HINTS[value]} />
          ))}
        </Stack>
      </Radio.Group>
    </FieldGroup>
  );
}

function useNewAgent() {
  const { account_id: accountId } = useAccount();
  const navigate = useNavigate();
  return {
    save: useSaveAgent(accountId),
    saveLabel: 'Create agent',
    onSaved: (agent: AgentBody) => {
      notifyDone(`Agent “${agent.name}” created.`);
      void navigate({ to: '/accounts/$accountId/agents/$agentId', params: { accountId, agentId: agent.id } });
    },
  };
}

function NewScripted() {
  const [draft] = useState(emptyScriptedDraft);
  return (
    <ScriptedEditor
      {...useNewAgent()}
      draft={draft}
      draftName="agent:new"
      unchangedText="Enter a name and a first message."
    />
  );
}

function NewConducted({ driver }: { readonly driver: ConductedDriver }) {
  const [draft] = useState(() => emptyConductedDraft(driver));
  return (
    <ConductedEditor
      {...useNewAgent()}
      draft={draft}
      draftName={`agent:new:${driver}`}
      unchangedText="Enter a name and instructions."
    />
  );
}
