import { NativeSelect, Textarea } from '@mantine/core';
import { OPT_OUT_KEYS } from './draft/scripted-draft.ts';
import { FieldGroup } from './field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';

/** How a callee asks for no more calls. */
export function OptOutFields() {
  const form = useScriptedFormContext();
  return (
    <FieldGroup
      title="Opting out"
      description="A callee who presses the key goes on your do-not-call list, hears the confirmation, and the agent hangs up. Name the key in the script."
    >
      <NativeSelect label="Key for no more calls" data={OPT_OUT_KEYS} {...form.getInputProps('opt_out.key')} />
      {form.values.opt_out.key !== '' && (
        <Textarea label="Confirmation" autosize minRows={1} {...form.getInputProps('opt_out.confirmation')} />
      )}
    </FieldGroup>
  );
}
