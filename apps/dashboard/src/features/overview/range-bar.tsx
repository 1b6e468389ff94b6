import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { OverviewSearch, Range } from './search.ts';
import { browserZone, type Span } from './span.ts';
import { RANGES } from './search.ts';

const RANGE_WORDS: Readonly<Record<Range, string>> = {
  today: 'Today',
  '7-days': '7 days',
  '30-days': '30 days',
  '90-days': '90 days',
  custom: 'Custom',
};

interface RangeBarProps {
  readonly span: Span;
  readonly onChange: (search: OverviewSearch) => void;
}

/** Chooses the days to show and their time zone. */
export function RangeBar({ span, onChange }: RangeBarProps) {
  const zone = browserZone();
  const isUtc = span.timeZone === 'UTC';
  const zonePart = isUtc && zone.isUsable && zone.timeZone !== 'UTC' ? { zone: 'utc' as const } : {};
  const choose = (range: Range) =>
    onChange({ range, ...zonePart, ...(range === 'custom' ? { from: span.from, to: span.to } : {}) });
  return (
    <Group gap="sm" align="center" role="group" aria-label="Time range">
      <SegmentedControl
        aria-label="Range"
        size="sm"
        data={RANGES.map((range) => ({ value: range, label: RANGE_WORDS[range] }))}
        value={span.range}
        onChange={(value) => choose(RANGES.find((range) => range === value) ?? '7-days')}
      />
      {span.range === 'custom' && (
        <Group gap="xs">
          <TextInput
            type="date"
            aria-label="Start date"
            value={span.from}
            max={span.to}
            onChange={({ currentTarget: { value } }) =>
              value !== '' && onChange({ range: 'custom', from: value, to: span.to, ...zonePart })
            }
          />
          <TextInput
            type="date"
            aria-label="End date"
            value={span.to}
            min={span.from}
            onChange={({ currentTarget: { value } }) =>
              value !== '' && onChange({ range: 'custom', from: span.from, to: value, ...zonePart })
            }
          />
        </Group>
      )}
      <NativeSelect
        aria-label="Time zone"
        data={[
          ...(zone.isUsable && zone.timeZone !== 'UTC' ? [{ value: 'local', label: zone.timeZone }] : []),
          { value: 'utc', label: 'UTC' },
        ]}
        value={isUtc ? 'utc' : 'local'}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            range: span.range,
            ...(span.range === 'custom' ? { from: span.from, to: span.to } : {}),
            ...(value === 'utc' ? { zone: 'utc' as const } : {}),
          })
        }
      />
    </Group>
  );
}
