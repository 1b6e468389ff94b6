import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { EVALUATION_LIMITS } from '@outdial/contracts';
import type { ScenarioDraft } from './scenario-draft.ts';

interface ScenarioFieldsProps {
  readonly draft: ScenarioDraft;
  /** That the agent needs. */
  readonly variables: readonly string[];
  /** Of the agent, which act outside of the conversation. */
  readonly tools: readonly string[];
  readonly onChange: (draft: ScenarioDraft) => void;
  readonly onRemove: () => void;
}

const KINDS = [
  { value: 'model', label: 'A model plays the callee' },
  { value: 'scripted', label: 'The callee says these lines' },
];

/** One simulated callee, and what the conversation must show. */
export function ScenarioFields({ draft, variables, tools, onChange, onRemove }: ScenarioFieldsProps) {
  const set = (changes: Partial<ScenarioDraft>) => onChange({ ...draft, ...changes });
  return (
    <Paper withBorder radius="md" p="md" component="section" aria-label={`Scenario ${draft.name}`}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label="Name of the scenario"
            value={draft.name}
            autoComplete="off"
            maxLength={EVALUATION_LIMITS.nameLength}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <NativeSelect
            label="Callee"
            data={KINDS}
            value={draft.kind}
            onChange={(event) => set({ kind: event.currentTarget.value === 'scripted' ? 'scripted' : 'model' })}
          />
          <TextInput
            label="Turns of the callee at most"
            inputMode="numeric"
            value={draft.maxTurns}
            onChange={(event) => set({ maxTurns: event.currentTarget.value })}
          />
        </SimpleGrid>
        {draft.kind === 'model' ? (
          <Textarea
            label="Who the callee is"
            description="What this person wants, and how the person talks."
            autosize
            minRows={2}
            value={draft.prompt}
            maxLength={EVALUATION_LIMITS.promptLength}
            onChange={(event) => set({ prompt: event.currentTarget.value })}
          />
        ) : (
          <Textarea
            label="Lines of the callee"
            description="One a line, said after each turn of the agent. After the last one the callee hangs up."
            autosize
            minRows={2}
            value={draft.lines}
            onChange={(event) => set({ lines: event.currentTarget.value })}
          />
        )}
        <Textarea
          label="Criteria"
          description="One a line. All must be met. If empty: the success criteria of the agent’s analysis."
          autosize
          minRows={2}
          value={draft.criteria}
          onChange={(event) => set({ criteria: event.currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {variables.map((name) => (
            <TextInput
              key={name}
              label={`Variable ${name}`}
              value={draft.variables[name] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                set({ variables: { ...draft.variables, [name]: value } });
              }}
            />
          ))}
          {tools.map((name) => (
            <TextInput
              key={name}
              label={`Result of the tool ${name}`}
              description="What the agent reads. If empty: that the action was simulated."
              value={draft.toolResults[name] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                set({ toolResults: { ...draft.toolResults, [name]: value } });
              }}
            />
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-sm" aria-label={`Remove scenario ${draft.name}`} onClick={onRemove}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
