import { ActionIcon, Group, Input, Menu, Stack, Text, TextInput } from '@mantine/core';
import { POLICY_LIMITS, WEEKDAYS, type Weekday } from '@outdial/contracts';
import { IconCopy, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RemoveButton } from '../forms/list-buttons.tsx';
import { completeTime } from '../forms/complete-time.ts';
import type { WeekDraft } from './week-draft.ts';
import { addTime, COPY_TARGETS, copyDay, isDayFull, type CopyTarget } from './week-edits.ts';
import classes from './week-fields.module.css';
import { WEEKDAY_NAMES } from '../words/week-words.ts';

interface WeekFieldsProps {
  readonly week: WeekDraft;
  readonly onChange: (week: WeekDraft) => void;
  /** Of the week in its form: `everywhere.week`. */
  readonly path: string;
  /** Of the form, by path: `everywhere.week.mon`, `everywhere.week.mon.0`. */
  readonly errors: Readonly<Record<string, ReactNode>>;
  /** Before each day, for those who do not see the heading: `Florida`. */
  readonly prefix?: string;
}

/** The times of each day as texts, so that the keyboard edits them as quickly as the mouse. */
export function WeekFields({ prefix, ...week }: WeekFieldsProps) {
  return (
    <Stack gap="xs">
      {WEEKDAYS.map((day) => (
        <Day
          key={day}
          {...week}
          day={day}
          label={prefix === undefined ? WEEKDAY_NAMES[day] : `${prefix}, ${WEEKDAY_NAMES[day]}`}
        />
      ))}
    </Stack>
  );
}

interface DayProps extends Omit<WeekFieldsProps, 'prefix'> {
  readonly day: Weekday;
  readonly label: string;
}

function Day(props: DayProps) {
  const { week, onChange, path, errors, day, label } = props;
  const times = week[day];
  const error = errors[`${path}.${day}`];
  const setTimes = (changed: string[]) => onChange({ ...week, [day]: changed });
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
          {times.map((text, at) => (
            <Time
              key={at}
              label={at === 0 ? label : `${label}, time ${at + 1}`}
              text={text}
              error={errors[`${path}.${day}.${at}`]}
              onChange={(changed) => setTimes(times.with(at, changed))}
              onRemove={() => setTimes(times.toSpliced(at, 1))}
            />
          ))}
        </Group>
        {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
      <DayActions {...props} />
    </div>
  );
}

interface TimeProps {
  readonly label: string;
  readonly text: string;
  readonly error: ReactNode;
  readonly onChange: (text: string) => void;
  readonly onRemove: () => void;
}

function Time({ label, text, error, onChange, onRemove }: TimeProps) {
  return (
    <div className={classes['time']}>
      <TextInput
        aria-label={label}
        size="sm"
        placeholder="08:00-21:00"
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={() => {
          // `8-21` is complete enough.
          const complete = completeTime(text);
          if (complete !== text) onChange(complete);
        }}
      />
      <RemoveButton label={`Remove ${label}`} onClick={onRemove} />
    </div>
  );
}

function DayActions({ week, onChange, day, label }: DayProps) {
  const times = week[day];
  const copy = (target: CopyTarget) => onChange(copyDay(week, day, target));
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Add a time to ${label}`}
        title={isDayFull(times) ? `At most ${POLICY_LIMITS.intervalsADay} times a day` : 'Add a time'}
        disabled={isDayFull(times)}
        onClick={() => onChange({ ...week, [day]: addTime(times) })}
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
