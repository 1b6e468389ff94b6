import { Input, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CAMPAIGN_LIMITS } from '@outdial/contracts';
import { zoneWords } from '../../../shared/format/zone.ts';
import { ZoneField } from '../../../shared/forms/zone-field.tsx';
import { WeekFields } from '../../../shared/week/week-fields.tsx';
import type { SettingsDraft } from './settings-draft.ts';

interface MovableFieldsProps {
  readonly form: UseFormReturnType<SettingsDraft>;
  readonly currency: string | undefined;
}

const { callsPerSecond, weight } = CAMPAIGN_LIMITS;

/** What may be changed until the campaign is over. */
export function MovableFields({ form, currency }: MovableFieldsProps) {
  const { window } = form.values;
  return (
    <Stack>
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Budget"
          description={`${currency ?? ''} for all of its calls. Empty: no bound.`.trim()}
          min={0}
          {...form.getInputProps('budget')}
        />
        <TextInput
          type="datetime-local"
          label="End"
          description={`No call is dialed later. In your time zone: ${zoneWords(new Date())}`}
          {...form.getInputProps('ends_at')}
        />
        <NumberInput
          label="Pace"
          description={`Calls that begin in a second, at most ${callsPerSecond}. Empty: as slots allow.`}
          min={0}
          {...form.getInputProps('calls_per_second')}
        />
        <NumberInput
          label="Open calls at most"
          description="Of this campaign at once. Empty: as slots allow."
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('max_concurrent')}
        />
        <NumberInput
          label="Weight"
          description={`Its part of the slots beside other campaigns, ${weight.min}–${weight.max}.`}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('weight')}
        />
      </SimpleGrid>
      <Switch
        label="Call in certain hours only"
        description="Besides the calling policy, which holds in any case."
        {...form.getInputProps('window.is_on', { type: 'checkbox' })}
      />
      {window.is_on && (
        <>
          <ZoneField label="Time zone of these hours" {...form.getInputProps('window.time_zone')} />
          {form.errors['window.week'] !== undefined && <Input.Error>{form.errors['window.week']}</Input.Error>}
          <WeekFields
            path="window.week"
            week={window.week}
            onChange={(week) => form.setFieldValue('window.week', week)}
            errors={form.errors}
          />
        </>
      )}
    </Stack>
  );
}
