import { Group, Input, NumberInput, Text } from '@mantine/core';
import { POLICY_LIMITS } from '@outdial/contracts';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { AddButton, RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import { usePolicyFormContext } from './form-context.ts';

const { capHours, capCalls } = POLICY_LIMITS;
const NEW_CAP = { hours: 24, max: 3 };

/** How often one number is called. */
export function CapFields() {
  const form = usePolicyFormContext();
  const { caps } = form.values;
  return (
    <FieldGroup
      title="How often"
      description="Counts the calls to one number that were dialed, whatever became of them. A call beyond the limit is refused, and one that was planned waits."
    >
      {form.errors['caps'] !== undefined && <Input.Error>{form.errors['caps']}</Input.Error>}
      {caps.length === 0 && (
        <Text size="sm" c="dimmed">
          A number may be called any number of times.
        </Text>
      )}
      {caps.map((_, at) => (
        <Group key={at} role="group" aria-label={`Limit ${at + 1}`} align="flex-end" gap="xs" wrap="nowrap">
          <NumberInput
            label="Calls at most"
            description={`${capCalls.min}–${capCalls.max}`}
            allowDecimal={false}
            allowNegative={false}
            inputWrapperOrder={['label', 'description', 'error', 'input']}
            {...form.getInputProps(`caps.${at}.max`)}
          />
          <NumberInput
            label="In so many hours"
            description={`${capHours.min}–${capHours.max}`}
            allowDecimal={false}
            allowNegative={false}
            inputWrapperOrder={['label', 'description', 'error', 'input']}
            {...form.getInputProps(`caps.${at}.hours`)}
          />
          <RemoveButton label={`Remove limit ${at + 1}`} onClick={() => form.removeListItem('caps', at)} />
        </Group>
      ))}
      <Group>
        <AddButton
          label="Add limit"
          isFull={caps.length >= POLICY_LIMITS.caps}
          onClick={() => form.insertListItem('caps', NEW_CAP)}
        />
      </Group>
    </FieldGroup>
  );
}
