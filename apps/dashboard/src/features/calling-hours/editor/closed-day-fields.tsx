import { Button, Group, Input, Text, TextInput } from '@mantine/core';
import { POLICY_LIMITS } from '@outdial/contracts';
import { usFederalHolidays } from '@outdial/policies';
import { useState } from 'react';
import { FieldGroup } from '../../../shared/forms/field-group.tsx';
import { AddButton, RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import classes from '../calling-hours.module.css';
import { dateWords } from '../words/policy-words.ts';
import { usePolicyFormContext } from './form-context.ts';

const HOLIDAY_YEARS = 2;

/** Dates without calls. */
export function ClosedDayFields() {
  const form = usePolicyFormContext();
  const [date, setDate] = useState('');
  const { closed_days: days } = form.values;
  const add = (added: readonly string[]) =>
    form.setFieldValue('closed_days', [...new Set([...days, ...added])].toSorted());
  const addDate = () => {
    if (date === '') return;
    add([date]);
    setDate('');
  };
  const year = new Date().getFullYear();
  return (
    <FieldGroup title="Closed days" description="Dates without calls, by the callee’s calendar.">
      {form.errors['closed_days'] !== undefined && <Input.Error>{form.errors['closed_days']}</Input.Error>}
      {days.length === 0 ? (
        <Text size="sm" c="dimmed">
          No day is closed.
        </Text>
      ) : (
        <Group component="ul" gap="xs" className={classes['changes'] ?? ''}>
          {days.map((day, at) => (
            <ClosedDay key={day} day={day} at={at} />
          ))}
        </Group>
      )}
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date"
          label="Date"
          value={date}
          onChange={({ currentTarget }) => setDate(currentTarget.value)}
          onKeyDown={(event) => {
            // Enter adds the date, and does not save the policy.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            addDate();
          }}
        />
        <Button variant="default" disabled={date === '' || days.length >= POLICY_LIMITS.closedDays} onClick={addDate}>
          Add date
        </Button>
      </Group>
      <Group>
        <AddButton
          label={`US federal holidays ${year}–${year + HOLIDAY_YEARS - 1}`}
          onClick={() => add(usFederalHolidays(year, HOLIDAY_YEARS))}
        />
      </Group>
    </FieldGroup>
  );
}

function ClosedDay({ day, at }: { readonly day: string; readonly at: number }) {
  const form = usePolicyFormContext();
  const error = form.errors[`closed_days.${at}`];
  // A stored draft may have another text.
  const words = /^\d{4}-\d\d-\d\d$/.test(day) ? dateWords(day) : day;
  return (
    <Group component="li" gap={2} wrap="nowrap">
      <Text size="sm" className="tabular" span>
        {words}
      </Text>
      <RemoveButton label={`Remove ${words}`} onClick={() => form.removeListItem('closed_days', at)} />
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Group>
  );
}
