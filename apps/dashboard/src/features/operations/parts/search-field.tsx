import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

/** Typing asks the service once it pauses, not with every key. */
const PAUSE_MS = 250;

/** What is typed, and what is searched for. */
export function useSearch() {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  return { text, setText, search };
}

interface SearchFieldProps {
  /** `Search accounts` */
  readonly label: string;
  /** What it looks at. */
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
