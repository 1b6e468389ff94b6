import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { listCallsQuerySchema } from '@outdial/contracts';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useShortcut } from '../../../shared/shortcuts/shortcuts.ts';

/** Debounces typing: each search is a request to the service. */
const DEBOUNCE_MS = 250;

interface SearchFilterProps {
  /** Empty: no search. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Finds calls by part of the callee's number, by call id or by a metadata value. */
export function SearchFilter({ value, onChange }: SearchFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  useShortcut('/', 'Search calls', () => input.current?.focus());
  const text = draft ?? value;
  const error = errorOf(text);

  const apply = (next: string) => {
    if (errorOf(next) === null && next.trim() !== value) onChange(next.trim());
  };
  const applySoon = useDebouncedCallback(apply, DEBOUNCE_MS);
  const change = (next: string) => {
    setDraft(next);
    applySoon(next);
  };

  return (
    <TextInput
      ref={input}
      type="text"
      inputMode="search"
      aria-label="Search calls"
      placeholder="Number, call ID or metadata"
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
      onBlur={() => {
        applySoon.flush();
        if (error === null) setDraft(null);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
        if (key === 'Enter') applySoon.flush();
      }}
      error={error}
    />
  );
}

/** Null: the text is a valid search. */
function errorOf(text: string): string | null {
  if (text.trim() === '') return null;
  const parsed = listCallsQuerySchema.shape.search.safeParse(text);
  return parsed.success ? null : `The search ${parsed.error.issues[0]?.message ?? 'is not valid'}`;
}
