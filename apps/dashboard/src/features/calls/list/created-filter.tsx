import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallFilters } from '../model/call-filters.ts';
import { describeCreated, fromLocalInput, PRESETS, toLocalInput, type Created } from './created-range.ts';

interface CreatedFilterProps {
  readonly filters: CallFilters;
  readonly onChange: (created: Created) => void;
}

/** Filters calls by creation time: presets or a custom range. */
export function CreatedFilter({ filters, onChange }: CreatedFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { created_after: after, created_before: before } = filters;
  const isSet = after !== undefined || before !== undefined;
  const choose = (created: Created) => {
    onChange(created);
    setIsOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus returnFocus shadow="md" radius="md">
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          c={isSet ? 'var(--mantine-color-text)' : 'dimmed'}
          leftSection={<IconCalendar size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {describeCreated({ created_after: after, created_before: before })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Created">
        <Stack gap="sm">
          <Group gap="xs">
            {PRESETS.map(({ label, sinceMs }) => (
              <Button
                key={label}
                size="xs"
                variant="default"
                onClick={() => choose({ created_after: new Date(sinceMs(Date.now())).toISOString() })}
              >
                {label}
              </Button>
            ))}
          </Group>
          <TextInput
            type="datetime-local"
            label="After"
            value={toLocalInput(after)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ created_after: fromLocalInput(value), created_before: before })
            }
          />
          <TextInput
            type="datetime-local"
            label="Before"
            value={toLocalInput(before)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ created_after: after, created_before: fromLocalInput(value) })
            }
          />
          {isSet && (
            <Button variant="subtle" size="xs" onClick={() => choose({})}>
              Any time
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
