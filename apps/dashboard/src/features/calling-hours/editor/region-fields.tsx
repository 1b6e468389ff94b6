import { Autocomplete, Button, Group, Input, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { POLICY_LIMITS } from '@outdial/contracts';
import { useMemo, useState } from 'react';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import { USUAL_WEEK, weekOf } from '../../../shared/week/week-draft.ts';
import { WeekFields } from '../../../shared/week/week-fields.tsx';
import { weekWords } from '../../../shared/words/week-words.ts';
import { regionCode, type PolicyDraft } from '../draft/policy-draft.ts';
import { readRegion } from '../words/read-region.ts';
import { regionChoices, regionName } from '../words/regions.ts';
import { usePolicyFormContext } from './form-context.ts';

/** The hours of single countries and regions. */
export function RegionFields() {
  const form = usePolicyFormContext();
  // Its times are open, to be changed.
  const [added, setAdded] = useState<string | null>(null);
  const { regions } = form.values;
  return (
    <FieldGroup
      title="Hours of regions"
      description="They hold besides the hours everywhere: what either closes is closed. A number that may be from anywhere in a country has the hours of all its regions."
    >
      {form.errors['regions'] !== undefined && <Input.Error>{form.errors['regions']}</Input.Error>}
      {regions.map((row, at) => (
        <Region key={row.region} row={row} at={at} isNew={row.region === added} />
      ))}
      <AddRegion onAdded={setAdded} />
    </FieldGroup>
  );
}

interface RegionProps {
  readonly row: PolicyDraft['regions'][number];
  readonly at: number;
  readonly isNew: boolean;
}

function Region({ row: { region, week }, at, isNew }: RegionProps) {
  const form = usePolicyFormContext();
  const [isOpen, { toggle }] = useDisclosure(isNew);
  const hasError = Object.keys(form.errors).some((path) => path.startsWith(`regions.${at}.week`));
  const isShown = isOpen || hasError;
  const name = regionName(region);
  const error = form.errors[`regions.${at}.region`];
  return (
    <div role="group" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={3} size="h5">
              {name === region ? region : `${name} (${region})`}
            </Title>
            {!isShown && (
              <Text size="sm" c="dimmed">
                {weekWords(week)}
              </Text>
            )}
          </div>
          <Group gap={2} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-expanded={isShown}
              aria-label={`${isShown ? 'Hide' : 'Change'} times of ${name}`}
              onClick={toggle}
            >
              {isShown ? 'Hide times' : 'Change times'}
            </Button>
            <RemoveButton label={`Remove ${name}`} onClick={() => form.removeListItem('regions', at)} />
          </Group>
        </Group>
        {error !== undefined && <Input.Error>{error}</Input.Error>}
        {isShown && (
          <WeekFields
            path={`regions.${at}.week`}
            errors={form.errors}
            week={week}
            prefix={name}
            onChange={(changed) => form.setFieldValue(`regions.${at}.week`, changed)}
          />
        )}
      </Stack>
    </div>
  );
}

function AddRegion({ onAdded }: { readonly onAdded: (region: string) => void }) {
  const form = usePolicyFormContext();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const choices = useMemo(
    () => regionChoices().map(({ group, items }) => ({ group, items: items.map(({ label }) => label) })),
    [],
  );
  const { regions, everywhere } = form.values;
  const add = (typed: string) => {
    const region = readRegion(typed);
    if (region === null) return setError('Choose one of the list, or type a code like GB or US-FL (ISO 3166)');
    if (regions.some((row) => regionCode(row.region) === region)) return setError('This region has hours already');
    const week = everywhere.is_on ? everywhere.week : USUAL_WEEK;
    form.insertListItem('regions', { region, week: weekOf((day) => [...week[day]]) });
    setText('');
    onAdded(region);
    return setError(null);
  };
  return (
    <Group align="flex-end" gap="xs">
      <Autocomplete
        label="Country or region"
        placeholder="Florida, or a code like GB"
        autoComplete="off"
        data={choices}
        limit={60}
        value={text}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
        onKeyDown={(event) => {
          // Enter adds the region, and does not save the policy.
          if (event.key !== 'Enter' || event.defaultPrevented) return;
          event.preventDefault();
          if (text !== '') add(text);
        }}
        style={{ flex: '1 1 14rem' }}
        error={error}
        inputWrapperOrder={['label', 'error', 'input', 'description']}
      />
      <Button variant="default" disabled={regions.length >= POLICY_LIMITS.regions} onClick={() => add(text)}>
        Add region
      </Button>
      {regions.length === 0 && (
        <Text size="sm" c="dimmed" w="100%">
          No region has its own hours.
        </Text>
      )}
    </Group>
  );
}
