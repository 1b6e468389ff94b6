import { Stack, Text, TextInput } from '@mantine/core';
import { CALL_LIMITS } from '@outdial/contracts';
import type { UseFormReturnType } from '@mantine/form';
import { variableText, type PlacementValues } from '../model/placement-form.ts';
import classes from './place.module.css';

interface VariablesProps {
  readonly form: UseFormReturnType<PlacementValues>;
  readonly names: readonly string[];
}

/** One field for each variable of the agent's script. */
export function Variables({ form, names }: VariablesProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className={classes['fields']}>
      <Text component="legend" size="sm" fw={600}>
        Script variables
      </Text>
      <Text size="xs" c="dimmed" mb="sm">
        The agent’s script uses these values.
      </Text>
      <Stack gap="sm">
        {names.map((name) => (
          <TextInput
            key={name}
            label={name}
            classNames={{ label: classes['variable'] ?? '' }}
            maxLength={CALL_LIMITS.variableLength}
            {...form.getInputProps(`variables.${name}`)}
            value={variableText(form.values, name)}
          />
        ))}
      </Stack>
    </fieldset>
  );
}
