import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { EVALUATION_LIMITS, requiredVariables, type AgentBody, type Scenario } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../shared/components/error-notice.tsx';
import { notifyDone } from '../../../shared/components/notify.tsx';
import { versionQuery } from '../queries.ts';
import { useRunEvaluation, useSaveScenarios } from './queries.ts';
import { draftOf, emptyDraft, scenarioOf, type ScenarioDraft } from './scenario-draft.ts';
import { ScenarioFields } from './scenario-fields.tsx';

interface ScenarioFormProps {
  readonly accountId: string;
  readonly agent: AgentBody;
  readonly saved: readonly Scenario[];
}

/** The scenarios of the agent, to save and to run on one of its versions. */
export function ScenarioForm({ accountId, agent, saved }: ScenarioFormProps) {
  const [drafts, setDrafts] = useState(() => saved.map((scenario, index) => draftOf(scenario, `saved-${index}`)));
  const [added, setAdded] = useState(0);
  const [chosen, setChosen] = useState(agent.version);
  const [judge, setJudge] = useState({ provider: 'openai', model: '' });
  const save = useSaveScenarios(accountId, agent.id);
  const run = useRunEvaluation(accountId, agent.id);
  const version = useQuery(versionQuery(accountId, agent.id, chosen));
  const settings = version.data?.settings ?? (chosen === agent.version ? agent.settings : null);
  const conducted = settings === null || settings.driver === 'scripted' ? null : settings;
  const names = settings === null ? [] : requiredVariables(settings);
  const tools = (conducted?.tools ?? []).flatMap((tool): readonly string[] => {
    if (tool.type === 'mcp') return (tool.listed?.tools ?? []).map(({ name }) => name);
    return tool.type === 'http' ? [tool.name] : [];
  });
  const needsJudge = conducted !== null && conducted.analysis === undefined;
  const scenarios = () => drafts.map((draft) => scenarioOf(draft, names));
  const change = (changed: ScenarioDraft) =>
    setDrafts((before) => before.map((draft) => (draft.key === changed.key ? changed : draft)));
  const add = () => {
    setAdded(added + 1);
    setDrafts((before) => [...before, emptyDraft(`added-${added}`, `Scenario ${before.length + 1}`)]);
  };
  return (
    <Stack gap="md">
      {drafts.length === 0 && (
        <Text size="sm" c="dimmed">
          No scenarios yet. A scenario is one simulated callee, and what the conversation must show.
        </Text>
      )}
      {drafts.map((draft) => (
        <ScenarioFields
          key={draft.key}
          draft={draft}
          variables={names}
          tools={tools}
          onChange={change}
          onRemove={() => setDrafts((before) => before.filter(({ key }) => key !== draft.key))}
        />
      ))}
      <Group>
        <Button variant="default" onClick={add} disabled={drafts.length >= EVALUATION_LIMITS.scenarios}>
          Add scenario
        </Button>
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate(scenarios(), { onSuccess: () => notifyDone('Scenarios saved.') })}
        >
          Save scenarios
        </Button>
      </Group>
      {save.error !== null && <ErrorNotice title="Could not save the scenarios" error={save.error} />}
      <Group align="flex-end">
        <NativeSelect
          label="Version to evaluate"
          value={String(chosen)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
          data={Array.from({ length: agent.version }, (_, index) => String(agent.version - index))}
          maw={160}
        />
        {needsJudge && (
          <>
            <NativeSelect
              label="Provider of the judge"
              value={judge.provider}
              onChange={(event) => setJudge({ ...judge, provider: event.currentTarget.value })}
              data={[
                { value: 'openai', label: 'OpenAI' },
                { value: 'openai_compatible', label: 'OpenAI-compatible' },
                { value: 'local', label: 'Local' },
              ]}
            />
            <TextInput
              label="Model of the judge"
              value={judge.model}
              autoComplete="off"
              onChange={(event) => setJudge({ ...judge, model: event.currentTarget.value })}
            />
          </>
        )}
        <Button
          loading={run.isPending}
          disabled={conducted === null || drafts.length === 0}
          onClick={() => run.mutate({ version: chosen, scenarios: scenarios(), ...(needsJudge ? { llm: judge } : {}) })}
        >
          Run evaluation
        </Button>
      </Group>
      {run.error !== null && <ErrorNotice title="The evaluation did not begin" error={run.error} />}
    </Stack>
  );
}
