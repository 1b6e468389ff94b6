import { Checkbox, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { toOffsetTime, zoneWords } from '../../../shared/format/zone.ts';
import type { PlacementValues } from '../model/placement-form.ts';
import { canExpire } from '../model/placement-schedule.ts';
import { WAIT_FOR_HOURS } from '../model/policy-advice.ts';
import classes from './place.module.css';

interface FormProps {
  readonly form: UseFormReturnType<PlacementValues>;
}

interface ScheduleFieldsProps extends FormProps {
  /** The account has calling hours, which may be closed. */
  readonly hasHours: boolean;
}

const WHEN = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later' },
] as const satisfies readonly { readonly value: PlacementValues['when']; readonly label: string }[];

/** Now or later, what to do while all slots are taken, and when to give up. */
export function ScheduleFields({ form, hasHours }: ScheduleFieldsProps) {
  const { values } = form;
  const isLater = values.when === 'later';
  return (
    <fieldset className={classes['fields']}>
      <Text component="legend" size="sm" fw={600} mb={4}>
        When to call
      </Text>
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="When to call"
          data={[...WHEN]}
          value={values.when}
          onChange={(chosen) => form.setFieldValue('when', chosen)}
        />
        {isLater ? (
          <TimeField form={form} name="scheduled_for" label="Date and time" />
        ) : (
          <>
            <Checkbox
              label="If all slots are taken, wait for a free one"
              {...form.getInputProps('waits_for_slot', { type: 'checkbox' })}
            />
            {(hasHours || values.waits_for_hours) && (
              <Checkbox
                label={WAIT_FOR_HOURS}
                description="If the callee’s calling hours are closed"
                {...form.getInputProps('waits_for_hours', { type: 'checkbox' })}
              />
            )}
          </>
        )}
        {canExpire(values) && <TimeField form={form} name="expires_at" label="Give up (optional)" />}
      </Stack>
    </fieldset>
  );
}

interface TimeFieldProps extends FormProps {
  readonly name: 'scheduled_for' | 'expires_at';
  readonly label: string;
}

/** A date and time in the user's time zone, shown with the zone as it is then: summer time changes the offset. */
function TimeField({ form, name, label }: TimeFieldProps) {
  const at = toOffsetTime(form.values[name]);
  const zone = zoneWords(at === undefined ? new Date() : new Date(at));
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={`In your time zone: ${zone}`}
      {...form.getInputProps(name)}
    />
  );
}
