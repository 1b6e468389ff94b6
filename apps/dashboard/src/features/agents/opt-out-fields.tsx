import { NativeSelect, Textarea } from '@mantine/core';
import { OPTIONAL_KEY_CHOICES } from './draft/draft-parts.ts';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';

/** How a callee says that they want no more calls. */
export function OptOutFields() {
  const form = useScriptedFormContext();
  const hasKey = form.values.opt_out.key !== '';
  return (
    <FieldGroup title="Opting out" description="The callee presses a key, and the number goes on the do-not-call list.">
      <NativeSelect
        label="Key that opts out"
        description="It works from the answer on, whatever the agent says. Name it in a line."
        data={OPTIONAL_KEY_CHOICES}
        {...form.getInputProps('opt_out.key')}
      />
      {hasKey && (
        <Textarea
          label="Confirmation"
          description="Spoken to its end. Then the agent hangs up."
          autosize
          minRows={1}
          {...form.getInputProps('opt_out.confirmation')}
        />
      )}
    </FieldGroup>
  );
}
