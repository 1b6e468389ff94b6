import { Group, NativeSelect, Textarea } from '@mantine/core';
import { PHONE_KEYS } from './draft/draft-parts.ts';
import { newMenuEntry } from './draft/scripted-draft.ts';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';
import classes from './fields.module.css';
import { AddButton, RemoveButton } from '../../shared/forms/list-buttons.tsx';

/** What the agent says when the callee presses a key on the phone. */
export function MenuFields() {
  const form = useScriptedFormContext();
  const { menu } = form.values;
  return (
    <FieldGroup title="Keypad menu" description="What the agent says when the callee presses a key.">
      {menu.map((entry, at) => (
        <div key={entry.id} className={classes['row']}>
          <NativeSelect
            label="Key"
            className={classes['key']}
            data={[...PHONE_KEYS]}
            {...form.getInputProps(`menu.${at}.key`)}
          />
          <Textarea
            label={`Reply to ${entry.key}`}
            autosize
            minRows={1}
            className={classes['text']}
            {...form.getInputProps(`menu.${at}.text`)}
          />
          <Group className={classes['actions']}>
            <RemoveButton label={`Remove key ${entry.key}`} onClick={() => form.removeListItem('menu', at)} />
          </Group>
        </div>
      ))}
      <Group>
        <AddButton
          label="Add key"
          isFull={menu.length >= PHONE_KEYS.length}
          onClick={() => form.insertListItem('menu', newMenuEntry(menu))}
        />
      </Group>
    </FieldGroup>
  );
}
