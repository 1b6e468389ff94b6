import { Autocomplete, Button, Group, Input, Stack, Text, Title } from '@mantine/core';
import { POLICY_LIMITS } from '@outdial/contracts';
import { useMemo, useState } from 'react';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import classes from '../calling-hours.module.css';
import { regionCode, USUAL_WEEK, weekOf, type PolicyDraft } from '../draft/policy-draft.ts';
import { readRegion } from '../words/read-region.ts';
import { regionChoices, regionName } from '../words/regions.ts';
import { usePolicyFormContext } from './form-context.ts';
import { WeekFields } from './week-fields.tsx';

/** The hours of single countries and regions. */
export function RegionFields() {
  const form = usePolicyFormContext();
  const { regions } = form.values;
  return (
    <FieldGroup
      title="Hours of regions"
      description="They hold besides the hours everywhere: what either closes is closed. A number that may be from anywhere in a country has the hours of all its regions."
    >
      {form.errors['regions'] !== undefined && <Input.Error>{form.errors['regions']}</Input.Error>}
      {regions.map((row, at) => (
        <Region key={row.region} row={row} at={at} />
      ))}
      <AddRegion />
    </FieldGroup>
  );
}

interface RegionProps {
  readonly row: PolicyDraft['regions'][number];
  readonly at: number;
}

function Region({ row: { region, week }, at }: RegionProps) {
  const form = usePolicyFormContext();
  const name = regionName(region);
  const error = form.errors[`regions.${at}.region`];
  return (
    <fieldset className={classes['list']}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Title order={3} size="h5" component="legend">
            {name === region ? region : `${name} (${region})`}
          </Title>
          <RemoveButton label={`Remove ${name}`} onClick={() => form.removeListItem('regions', at)} />
        </Group>
        {error !== undefined && <Input.Error>{error}</Input.Error>}
        <WeekFields path={`regions.${at}.week`} week={week} prefix={name} />
      </Stack>
    </fieldset>
  );
}

function AddRegion() {
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
