import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

/** Debounces typing: each search is a request to the service. */
const DEBOUNCE_MS = 250;

/** The typed text, and the debounced search. */
export function useSearch() {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  return { text, setText, search };
}

interface SearchFieldProps {
  /** The accessible name: `Search accounts`. */
  readonly label: string;
  /** What the search covers. */
  readonly placeholder: string;
  readonly search: ReturnType<typeof useSearch>;
}

export function SearchField({ label, placeholder, search: { text, setText } }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={200}
      w="100%"
      maw="28rem"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
