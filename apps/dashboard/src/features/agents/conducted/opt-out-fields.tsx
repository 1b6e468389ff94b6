import { NativeSelect, SimpleGrid } from '@mantine/core';
import { OPT_OUT_KEYS } from '../draft/scripted-draft.ts';
import { FieldGroup } from '../field-group.tsx';
import { useConductedFormContext } from '../form-context.ts';
import { SwitchField, TextField } from './inputs.tsx';

/** How a callee asks for no more calls. */
export function OptOutFields() {
  const form = useConductedFormContext();
  return (
    <FieldGroup
      title="Opting out"
      description="A callee who opts out goes on your do-not-call list, hears the confirmation, and the agent hangs up."
    >
      <SwitchField
        path="opt_out.on_model"
        label="The model may record an opt-out"
        description="With a built-in tool, when the callee asks for no more calls."
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Key for no more calls"
          description="On the callee’s phone."
          data={OPT_OUT_KEYS}
          {...form.getInputProps('opt_out.key')}
        />
      </SimpleGrid>
      <TextField path="opt_out.confirmation" label="Confirmation" minRows={1} />
    </FieldGroup>
  );
}
