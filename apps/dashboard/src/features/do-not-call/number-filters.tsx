import { CloseButton, Group, Kbd, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SUPPRESSION_KINDS } from '@outdial/contracts';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import { NUMBER_ERROR, readNumber } from '../../shared/forms/read-number.ts';
import { useShortcut } from '../../shared/shortcuts/shortcuts.ts';
import { SUPPRESSION_KIND_WORDS } from '../../shared/words/suppression.ts';
import type { DoNotCallSearch } from './search.ts';

const KINDS = SUPPRESSION_KINDS.map((value) => ({ value, label: SUPPRESSION_KIND_WORDS[value] }));

interface NumberFiltersProps {
  readonly search: DoNotCallSearch;
  readonly onChange: (part: DoNotCallSearch) => void;
}

export function NumberFilters({ search, onChange }: NumberFiltersProps) {
  return (
    <Group gap="sm" align="flex-start" role="search" aria-label="Filter the list">
      {/* Another number in the URL starts the field again. */}
      <NumberSearch key={search.number ?? ''} number={search.number} onChange={(number) => onChange({ number })} />
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        data={KINDS}
        value={search.kind ?? null}
        onChange={(value) => onChange({ kind: SUPPRESSION_KINDS.find((known) => known === value) })}
        clearable
      />
    </Group>
  );
}

/** Debounces typing: each search is a request to the service. */
const DEBOUNCE_MS = 250;

interface NumberSearchProps extends Pick<DoNotCallSearch, 'number'> {
  readonly onChange: (number: DoNotCallSearch['number']) => void;
}

/** Finds the entries of one number. Nothing is searched for until the number is complete. */
function NumberSearch({ number, onChange }: NumberSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(number === undefined ? '' : formatPhoneNumber(number));
  const [isChecked, setChecked] = useState(false);
  useShortcut('/', 'Search the list', () => input.current?.focus());
  const isInvalid = text.trim() !== '' && readNumber(text) === null;

  const apply = (next: string) => {
    const found = readNumber(next) ?? undefined;
    if (found !== number && (found !== undefined || next.trim() === '')) onChange(found);
  };
  const applySoon = useDebouncedCallback(apply, DEBOUNCE_MS);
  const change = (next: string) => {
    setText(next);
    setChecked(false);
    applySoon(next);
  };
  const finish = () => {
    applySoon.flush();
    setChecked(true);
  };

  return (
    <TextInput
      ref={input}
      type="tel"
      aria-label="Search by number"
      placeholder="+1 202 555 0143"
      autoComplete="off"
      w="100%"
      maw="22rem"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => change('')} />
        )
      }
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
        if (key === 'Enter') finish();
      }}
      error={isChecked && isInvalid ? NUMBER_ERROR : undefined}
    />
  );
}
