import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { formatPhoneNumber } from '../../shared/format/numbers.ts';
import type { DoNotCallSearch } from './search.ts';

interface NoEntriesProps {
  readonly search: DoNotCallSearch;
  readonly onClear: () => void;
}

/** Says what the list does, or that no entry matches the filters. */
export function NoEntries({ search: { number, kind }, onClear }: NoEntriesProps) {
  if (number === undefined && kind === undefined) {
    return (
      <EmptyState icon={IconBan} title="No numbers on your list">
        A call to a number on this list is refused, and a scheduled one ends without being dialed. People who opt out in
        a call are added automatically. Add the numbers of people who ask you directly.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconBan}
      title={number === undefined ? 'No entries of this kind' : `${formatPhoneNumber(number)} is not on your list`}
      action={
        <Button variant="default" onClick={onClear}>
          Show all numbers
        </Button>
      }
    >
      {number === undefined
        ? 'Your list has no number of this kind.'
        : 'Your own list has no such entry. “Check a number” also looks at the platform’s list.'}
    </EmptyState>
  );
}
