import { Input, Switch, Text } from '@mantine/core';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { WeekFields } from '../../../shared/week/week-fields.tsx';
import { WeekPicture } from '../../../shared/week/week-picture.tsx';
import { usePolicyFormContext } from './form-context.ts';

/** The hours that hold for every callee. */
export function HoursFields() {
  const form = usePolicyFormContext();
  const { is_on: isOn, week } = form.values.everywhere;
  return (
    <FieldGroup
      title="Hours everywhere"
      description="When calls may be dialed, by the callee’s clock. Where a number may be from several time zones, all must be open. A call that was dialed goes on."
    >
      <Switch label="Limit the hours" {...form.getInputProps('everywhere.is_on', { type: 'checkbox' })} />
      {form.errors['everywhere.week'] !== undefined && <Input.Error>{form.errors['everywhere.week']}</Input.Error>}
      {isOn ? (
        <>
          <Text size="xs" c="dimmed">
            Times are like 08:00-21:00, with 24:00 for the end of the day. Split a time that passes midnight. A day
            without times is closed.
          </Text>
          <WeekFields
            path="everywhere.week"
            errors={form.errors}
            week={week}
            onChange={(changed) => form.setFieldValue('everywhere.week', changed)}
          />
          <WeekPicture week={week} label="Open hours" />
        </>
      ) : (
        <Text size="sm">Every hour is open, except in the regions below.</Text>
      )}
    </FieldGroup>
  );
}
