import { Loader, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { operatedAccountsQuery } from '../accounts/queries.ts';
import { useSearch } from './search-field.tsx';

export interface PickedAccount {
  readonly id: string;
  readonly name: string;
}

interface AccountPickerProps {
  readonly label: string;
  readonly description?: string;
  readonly value: PickedAccount | null;
  readonly onChange: (account: PickedAccount | null) => void;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
}

/** Finds an account by part of its name or id, or by a member's e-mail address. */
export function AccountPicker({ label, description, value, onChange, error, isRequired = false }: AccountPickerProps) {
  const { text, setText, search } = useSearch();
  // The field shows the chosen account's name: searching for it would hide all other accounts.
  const accounts = useInfiniteQuery(operatedAccountsQuery(search === value?.name ? '' : search));
  const found = accounts.data?.pages.flatMap((page) => page.accounts) ?? [];
  const options = new Map(found.map(({ id, name }) => [String(id), name]));
  if (value !== null) options.set(value.id, value.name);
  return (
    <Select
      label={label}
      description={description}
      placeholder="Search by name, ID or e-mail"
      nothingFoundMessage={accounts.isFetching ? 'Searching…' : 'No accounts found'}
      searchable
      clearable
      required={isRequired}
      withAsterisk={false}
      // The service has already searched, also by fields that the option does not show.
      filter={({ options: all }) => all}
      rightSection={accounts.isFetching && search !== '' ? <Loader size="xs" /> : undefined}
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => onChange(id === null ? null : { id, name: options.get(id) ?? id })}
      error={error}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
