import { Checkbox } from '@mantine/core';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { usePolicyFormContext } from './form-context.ts';

/** Whose word on the callee's time zone holds. */
export function ZoneTrustField() {
  const form = usePolicyFormContext();
  return (
    <FieldGroup
      title="Time zones"
      description="People keep their number when they move. A request for a call can say in which time zone the callee is."
    >
      <Checkbox
        label="Take the time zone of the request alone"
        description="If you know where your callees live. Otherwise the zone of the request is added to those of the number, and all must be open. Your operator’s rules must allow it too."
        {...form.getInputProps('trust_given_zone', { type: 'checkbox' })}
      />
    </FieldGroup>
  );
}
