import { Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { e164Schema } from '@outdial/contracts';
import { useRef, useState } from 'react';
import { formatPhoneNumber } from '../../../shared/format/numbers.ts';
import { useShortcut } from '../../../shared/shortcuts/shortcuts.ts';
import { normaliseNumber, type CallFilters } from '../model/call-filters.ts';

type Value = CallFilters['to_number'];

interface NumberFilterProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The called number, whole: applied as soon as it is one. */
export function NumberFilter({ value, onChange }: NumberFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [isLeft, setIsLeft] = useState(false);
  useShortcut('/', 'Filter by number', () => input.current?.focus());

  const text = draft ?? (value === undefined ? '' : formatPhoneNumber(value));
  const parsed = e164Schema.safeParse(normaliseNumber(text));
  const isFaulty = isLeft && text.trim() !== '' && !parsed.success;

  function change(next: string): void {
    setDraft(next);
    setIsLeft(false);
    if (next.trim() === '') return onChange(undefined);
    const number = e164Schema.safeParse(normaliseNumber(next));
    if (number.success && number.data !== value) onChange(number.data);
  }

  return (
    <TextInput
      ref={input}
      type="tel"
      aria-label="Called number"
      placeholder="Called number"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : null
      }
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onFocus={() => setDraft(text)}
      onBlur={() => {
        setIsLeft(true);
        if (parsed.success || text.trim() === '') setDraft(null);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
        if (key === 'Enter') setIsLeft(true);
      }}
      error={isFaulty ? 'A whole number with its country code, such as +1 202 555 0100' : null}
    />
  );
}
