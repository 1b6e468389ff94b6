import { Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { AddButton, RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import { newHeader, type ToolDraft } from '../draft/tool-draft.ts';
import classes from '../fields.module.css';
import { useConductedFormContext } from '../form-context.ts';
import { ChoiceField, LineField } from './inputs.tsx';

export interface ToolProps {
  readonly tool: ToolDraft;
  readonly at: number;
}

export function SpeakFields({ path }: { readonly path: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <LineField path={`${path}.speak.while_running`} label="Say while it runs" description="Such as “Let me look.”" />
      <ChoiceField
        path={`${path}.speak.after`}
        label="After the result"
        description="What the agent does then."
        choices={{ model: 'The model answers', nothing: 'The agent says nothing' }}
      />
    </SimpleGrid>
  );
}

export function Headers({ tool, at }: ToolProps) {
  const form = useConductedFormContext();
  const path = `tools.${at}.headers`;
  return (
    <Stack gap="xs" role="group" aria-label="Headers">
      <Text size="sm" c="dimmed">
        {'Headers may hold a secret of the account: {{secret.CRM_TOKEN}}.'}
      </Text>
      {tool.headers.map((header, index) => (
        <div key={header.id} className={classes['row']}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes['text']}>
            <TextInput
              label={`Header ${index + 1}`}
              autoComplete="off"
              {...form.getInputProps(`${path}.${index}.name`)}
            />
            <TextInput
              label={`Value ${index + 1}`}
              autoComplete="off"
              {...form.getInputProps(`${path}.${index}.value`)}
            />
          </SimpleGrid>
          <Group className={classes['actions']}>
            <RemoveButton label={`Remove header ${index + 1}`} onClick={() => form.removeListItem(path, index)} />
          </Group>
        </div>
      ))}
      <Group>
        <AddButton label="Add header" onClick={() => form.insertListItem(path, newHeader())} />
      </Group>
    </Stack>
  );
}
