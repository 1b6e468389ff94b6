import { ActionIcon, Group, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { newLine } from './draft/draft-parts.ts';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';
import classes from './fields.module.css';
import { AddButton, RemoveButton } from '../../shared/forms/list-buttons.tsx';

const MAX_LINES = 50;

/** The script in spoken order: first message, lines, closing. */
export function LineFields() {
  const form = useScriptedFormContext();
  const { lines } = form.values;
  return (
    <FieldGroup
      title="Conversation"
      description="Spoken in order. The agent waits for the callee after each line. {{name}} is replaced by the call’s variable."
    >
      <Textarea label="First message" autosize minRows={2} {...form.getInputProps('first_message')} />
      {lines.map((line, at) => (
        <div key={line.id} className={classes['row']}>
          <Textarea
            label={`Line ${at + 1}`}
            autosize
            minRows={1}
            className={classes['text']}
            {...form.getInputProps(`lines.${at}.text`)}
          />
          <LineActions at={at} count={lines.length} />
        </div>
      ))}
      <Group>
        <AddButton
          label="Add line"
          isFull={lines.length >= MAX_LINES}
          onClick={() => form.insertListItem('lines', newLine())}
        />
      </Group>
      <Textarea label="Closing" autosize minRows={1} {...form.getInputProps('closing')} />
    </FieldGroup>
  );
}

/** Buttons instead of dragging, so that the keyboard can reorder too. */
function LineActions({ at, count }: { readonly at: number; readonly count: number }) {
  const form = useScriptedFormContext();
  return (
    <Group gap={2} wrap="nowrap" className={classes['actions']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move line ${at + 1} up`}
        disabled={at === 0}
        onClick={() => form.reorderListItem('lines', { from: at, to: at - 1 })}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move line ${at + 1} down`}
        disabled={at === count - 1}
        onClick={() => form.reorderListItem('lines', { from: at, to: at + 1 })}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <RemoveButton label={`Remove line ${at + 1}`} onClick={() => form.removeListItem('lines', at)} />
    </Group>
  );
}
