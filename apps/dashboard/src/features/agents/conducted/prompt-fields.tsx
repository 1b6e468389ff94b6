import { Group, Input, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { newKnowledge } from '../draft/conducted-draft.ts';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import classes from '../fields.module.css';
import { useConductedFormContext } from '../form-context.ts';
import { LineField, TextField } from './inputs.tsx';
import { AddButton, RemoveButton } from '../../../shared/forms/list-buttons.tsx';

const MAX_KNOWLEDGE = 20;

export function IdentityFields() {
  return (
    <FieldGroup title="Agent" description="Callees never hear the agent’s name.">
      <LineField path="name" label="Name" description="For you and your team." />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LineField path="language" label="Language" description="A language tag, such as en-US." />
        <LineField path="timezone" label="Time zone" description="Of {{now}}, such as Europe/Berlin." />
      </SimpleGrid>
    </FieldGroup>
  );
}

export function PromptFields() {
  return (
    <FieldGroup
      title="Prompt"
      description="{{name}} is replaced by the call’s variable. {{callee_number}}, {{caller_number}}, {{now}} and {{call_id}} are always there."
    >
      <TextField
        path="instructions"
        label="Instructions"
        description="Who the agent is, what it wants, and how it talks. Also called: system prompt, general prompt."
        minRows={8}
      />
      <Knowledge />
    </FieldGroup>
  );
}

function Knowledge() {
  const form = useConductedFormContext();
  const { knowledge } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label="Knowledge">
      <div>
        <Input.Label component="div">Knowledge</Input.Label>
        <Input.Description>Facts that are added to the instructions. At most 64 KB in all.</Input.Description>
      </div>
      {knowledge.map((part, at) => (
        <div key={part.id} className={classes['row']}>
          <Stack gap="xs" className={classes['text']}>
            <TextInput label={`Title ${at + 1}`} autoComplete="off" {...form.getInputProps(`knowledge.${at}.title`)} />
            <Textarea
              label={`Text ${at + 1}`}
              autosize
              minRows={2}
              maxRows={16}
              {...form.getInputProps(`knowledge.${at}.text`)}
            />
          </Stack>
          <Group className={classes['actions']}>
            <RemoveButton label={`Remove knowledge ${at + 1}`} onClick={() => form.removeListItem('knowledge', at)} />
          </Group>
        </div>
      ))}
      <Input.Error>{form.errors['knowledge']}</Input.Error>
      <Group>
        <AddButton
          label="Add knowledge"
          isFull={knowledge.length >= MAX_KNOWLEDGE}
          onClick={() => form.insertListItem('knowledge', newKnowledge())}
        />
      </Group>
    </Stack>
  );
}
