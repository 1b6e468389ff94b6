import { ActionIcon, Group, Input, Menu, Stack, Text, TextInput } from '@mantine/core';
import { POLICY_LIMITS, WEEKDAYS, type Weekday } from '@outdial/contracts';
import { IconCopy, IconPlus } from '@tabler/icons-react';
import { completeTime } from '../../../shared/forms/complete-time.ts';
import { RemoveButton } from '../../../shared/forms/list-buttons.tsx';
import classes from '../calling-hours.module.css';
import type { WeekDraft } from '../draft/policy-draft.ts';
import { addTime, COPY_TARGETS, copyDay, isDayFull, type CopyTarget } from '../draft/week-edits.ts';
import { WEEKDAY_NAMES } from '../../../shared/words/week-words.ts';
import { usePolicyFormContext } from './form-context.ts';

interface WeekFieldsProps {
  /** Of the week in the form: `everywhere.week`. */
  readonly path: string;
  readonly week: WeekDraft;
  /** Before each day, for those who do not see the heading: `Florida`. */
  readonly prefix?: string;
}

/** The times of each day as texts, so that the keyboard edits them as quickly as the mouse. */
export function WeekFields({ path, week, prefix }: WeekFieldsProps) {
  return (
    <Stack gap="xs">
      {WEEKDAYS.map((day) => (
        <Day
          key={day}
          path={path}
          week={week}
          day={day}
          label={prefix === undefined ? WEEKDAY_NAMES[day] : `${prefix}, ${WEEKDAY_NAMES[day]}`}
        />
      ))}
    </Stack>
  );
}

interface DayProps extends WeekFieldsProps {
  readonly day: Weekday;
  readonly label: string;
}

function Day({ path, week, day, label }: DayProps) {
  const form = usePolicyFormContext();
  const times = week[day];
  const error = form.errors[`${path}.${day}`];
  return (
    <div className={classes['day']} role="group" aria-label={label}>
      <Text size="sm" fw={550}>
        {WEEKDAY_NAMES[day]}
      </Text>
      <Stack gap={4}>
        <Group gap="xs" align="flex-start">
          {times.length === 0 && (
            <Text size="sm" c="dimmed" pt={5}>
              Closed
            </Text>
          )}
          {times.map((_, at) => (
            <Time key={at} path={`${path}.${day}`} at={at} label={label} />
          ))}
        </Group>
        {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
      <DayActions path={path} week={week} day={day} label={label} />
    </div>
  );
}

interface TimeProps {
  readonly path: string;
  readonly at: number;
  readonly label: string;
}

function Time({ path, at, label }: TimeProps) {
  const form = usePolicyFormContext();
  const name = `${path}.${at}`;
  const { onBlur, value, ...input } = form.getInputProps(name);
  const what = at === 0 ? label : `${label}, time ${at + 1}`;
  return (
    <div className={classes['time']}>
      <TextInput
        aria-label={what}
        size="sm"
        placeholder="08:00-21:00"
        autoComplete="off"
        spellCheck={false}
        value={value}
        {...input}
        onBlur={(event) => {
          // `8-21` is complete enough.
          const complete = completeTime(event.currentTarget.value);
          if (complete !== event.currentTarget.value) form.setFieldValue(name, complete);
          onBlur?.(event);
        }}
      />
      <RemoveButton label={`Remove ${what}`} onClick={() => form.removeListItem(path, at)} />
    </div>
  );
}

function DayActions({ path, week, day, label }: Omit<DayProps, 'prefix'>) {
  const form = usePolicyFormContext();
  const times = week[day];
  const copy = (target: CopyTarget) => form.setFieldValue(path, copyDay(week, day, target));
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Add a time to ${label}`}
        title={isDayFull(times) ? `At most ${POLICY_LIMITS.intervalsADay} times a day` : 'Add a time'}
        disabled={isDayFull(times)}
        onClick={() => form.setFieldValue(`${path}.${day}`, addTime(times))}
      >
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${label}`} title="Copy to other days">
            <IconCopy size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy('weekdays')}>{COPY_TARGETS.weekdays.label}</Menu.Item>
          <Menu.Item onClick={() => copy('week')}>{COPY_TARGETS.week.label}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
