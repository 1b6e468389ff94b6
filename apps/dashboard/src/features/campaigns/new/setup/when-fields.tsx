import { Input, SegmentedControl, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { LinkText } from '../../../../shared/components/links.tsx';
import { toOffsetTime, zoneWords } from '../../../../shared/format/zone.ts';
import { FieldGroup } from '../../../../shared/forms/field-group.tsx';
import { ZoneField } from '../../../../shared/forms/zone-field.tsx';
import { useAccount } from '../../../../shared/session/account.ts';
import { WeekFields } from '../../../../shared/week/week-fields.tsx';
import { WeekPicture } from '../../../../shared/week/week-picture.tsx';
import type { CampaignDraft } from '../draft/campaign-draft.ts';
import { useCampaignFormContext } from './form-context.ts';

const WHEN = [
  { value: 'now', label: 'When I start it' },
  { value: 'later', label: 'At a time' },
] as const satisfies readonly { readonly value: CampaignDraft['when']; readonly label: string }[];

/** When it begins and ends, and its hours. */
export function WhenFields() {
  const form = useCampaignFormContext();
  const { account_id: accountId } = useAccount();
  const { when, window } = form.values;
  return (
    <FieldGroup title="When" description="A call that was dialed goes on, whatever the hour.">
      <SegmentedControl
        aria-label="When it begins"
        data={[...WHEN]}
        value={when}
        onChange={(chosen) => form.setFieldValue('when', chosen)}
        style={{ alignSelf: 'flex-start' }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {when === 'later' && <TimeField name="starts_at" label="Begins" />}
        <TimeField name="ends_at" label="Ends (optional)" />
      </SimpleGrid>
      <Switch
        label="Call only in these hours"
        description="By the clock of one time zone, for every callee."
        checked={window.is_on}
        onChange={(event) => form.setFieldValue('window', { ...window, is_on: event.currentTarget.checked })}
      />
      {window.is_on && <Hours />}
      <Text size="sm" c="dimmed">
        Your{' '}
        <LinkText to="/accounts/$accountId/calling-hours" params={{ accountId }} size="sm" underline="always">
          calling hours
        </LinkText>{' '}
        hold besides, by each callee’s clock: what either closes is closed.
      </Text>
    </FieldGroup>
  );
}

/** A date and time in the user's time zone, shown with the zone as it is then. */
function TimeField({ name, label }: { readonly name: 'starts_at' | 'ends_at'; readonly label: string }) {
  const form = useCampaignFormContext();
  const at = toOffsetTime(form.values[name]);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={`In your time zone: ${zoneWords(at === undefined ? new Date() : new Date(at))}`}
      {...form.getInputProps(name)}
    />
  );
}

function Hours() {
  const form = useCampaignFormContext();
  const { week } = form.values.window;
  return (
    <>
      <ZoneField
        label="Time zone of these hours"
        placeholder="America/New_York"
        {...form.getInputProps('window.time_zone')}
      />
      <Text size="xs" c="dimmed">
        Times are like 09:00-17:00, with 24:00 for the end of the day. A day without times is closed.
      </Text>
      <WeekFields
        path="window.week"
        errors={form.errors}
        week={week}
        onChange={(changed) => form.setFieldValue('window.week', changed)}
      />
      {form.errors['window.week'] !== undefined && <Input.Error>{form.errors['window.week']}</Input.Error>}
      <WeekPicture week={week} label="Hours of the campaign" />
    </>
  );
}
