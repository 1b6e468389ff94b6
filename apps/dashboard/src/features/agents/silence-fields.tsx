import { NumberInput, SimpleGrid, Textarea } from '@mantine/core';
import { FieldGroup } from '../../shared/forms/field-group.tsx';
import { useScriptedFormContext } from './form-context.ts';

export function SilenceFields() {
  const form = useScriptedFormContext();
  return (
    <FieldGroup title="Silence" description="The agent prompts a silent callee, then hangs up.">
      <Textarea label="Prompt" autosize minRows={1} {...form.getInputProps('no_input.prompt')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label="Prompt after"
          suffix=" s"
          min={1}
          max={60}
          step={1}
          decimalScale={1}
          clampBehavior="none"
          {...form.getInputProps('no_input.after_seconds')}
        />
        <NumberInput
          label="Max prompts"

          min={0}
          max={5}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('no_input.times')}
        />
      </SimpleGrid>
    </FieldGroup>
  );
}
