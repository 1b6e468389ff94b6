import { Code, Group, Text, TextInput } from '@mantine/core';
import type { AgentSummaryBody, PhoneNumberBody } from '@outdial/contracts';
import { AgentField, FromField } from '../../../../shared/forms/choice-fields.tsx';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { useCampaignFormContext } from './form-context.ts';

interface WhoFieldsProps {
  readonly agents: readonly AgentSummaryBody[];
  readonly numbers: readonly PhoneNumberBody[];
}

/** The campaign's name, its agent and the number that it calls from. */
export function WhoFields({ agents, numbers }: WhoFieldsProps) {
  const form = useCampaignFormContext();
  const agent = agents.find(({ id }) => id === form.values.agent_id);
  return (
    <FieldGroup title="Who calls" description="The agent conducts every call, in the version of the campaign’s start.">
      <TextInput
        label="Name"
        placeholder="Autumn reminders"
        autoComplete="off"
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <AgentField agents={agents} {...form.getInputProps('agent_id')} />
      {agent !== undefined && <Variables names={agent.required_variables} />}
      <FromField numbers={numbers} {...form.getInputProps('from_number')} />
    </FieldGroup>
  );
}

function Variables({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <Text size="sm">The agent needs no variables: numbers are enough.</Text>;
  return (
    <Group gap={6} component="div">
      <Text size="sm">The agent needs of each contact:</Text>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
}
