import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { TRANSFER_LIMITS } from '@outdial/contracts';
import { AddButton, RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import { newDestination, type ToolDraft } from '../draft/tool-draft.ts';
import { useConductedFormContext } from '../form-context.ts';
import { ChoiceField, LineField, TextField } from './inputs.tsx';

interface DestinationFieldsProps {
  readonly tool: ToolDraft;
  /** Of the tool. */
  readonly at: number;
}

/** Whom a model may transfer a callee to. */
export function DestinationFields({ tool, at }: DestinationFieldsProps) {
  const form = useConductedFormContext();
  const path = `tools.${at}.destinations`;
  return (
    <Stack gap="xs" role="group" aria-label="Destinations">
      <Text size="sm" c="dimmed">
        {tool.mode === 'warm'
          ? 'The model chooses a destination by its name, and never sees the number. The second leg has its own rate, and is part of the cost of the call.'
          : 'The model chooses a destination by its name, and never sees the number. The carrier makes the new call: it is not recorded, and not part of your costs here.'}
      </Text>
      <ChoiceField
        path={`tools.${at}.mode`}
        label="Transfer"
        description="Warm: the callee waits, and the agent speaks to the destination first."
        choices={{ blind: 'Blind', warm: 'Warm' }}
      />
      {tool.destinations.map((destination, index) => (
        <Paper key={destination.id} withBorder radius="md" p="sm" role="group" aria-label={`Destination ${index + 1}`}>
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={600}>{`Destination ${index + 1}`}</Text>
              <RemoveButton
                label={`Remove destination ${index + 1}`}
                onClick={() => form.removeListItem(path, index)}
              />
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <LineField path={`${path}.${index}.name`} label="Destination name" description="Such as Sales." />
              <LineField
                path={`${path}.${index}.to_number`}
                label="Number"
                description="Or a SIP address, if the trunk permits it."
                placeholder="+12025550142"
              />
            </SimpleGrid>
            <TextField
              path={`${path}.${index}.description`}
              label="When to transfer there"
              description="For the model, such as “The callee wants to buy something.”"
              minRows={1}
            />
            <LineField
              path={`${path}.${index}.message`}
              label="Say before"
              description="Word for word. Empty: the model says what it wants."
            />
            {tool.mode === 'warm' && (
              <LineField
                path={`${path}.${index}.introduction`}
                label="Introduction"
                description="To the person who answers, word for word. The model adds what it is about."
              />
            )}
          </Stack>
        </Paper>
      ))}
      <Group>
        {tool.destinations.length < TRANSFER_LIMITS.destinations && (
          <AddButton label="Add destination" onClick={() => form.insertListItem(path, newDestination())} />
        )}
      </Group>
    </Stack>
  );
}
