import { Select, SegmentedControl, Stack, Text } from '@mantine/core';
import { countryCodes } from '@outdial/contact-files/preview';
import { useMemo } from 'react';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import type { ContactsDraft } from '../draft/contacts-draft.ts';
import { FileField } from './file-field.tsx';
import { MappingFields } from './mapping-fields.tsx';
import { PasteField } from './paste-field.tsx';
import { hasNumberAsHeader } from './preview.ts';
import { PreviewTable } from './preview-table.tsx';
import type { Contacts } from './use-contacts.ts';

interface ContactFieldsProps {
  readonly contacts: Contacts;
  readonly onChoose: (file: File | null) => void;
  /** What the service said of the fields, and what is missing once the user has tried. */
  readonly errors: FieldErrors;
}

const SOURCES = [
  { value: 'file', label: 'A file' },
  { value: 'paste', label: 'Paste numbers' },
] as const satisfies readonly { readonly value: ContactsDraft['from']; readonly label: string }[];

/** Whom to call: a file or pasted lines, which column is what, and the first lines as the service reads them. */
export function ContactFields({ contacts, onChoose, errors }: ContactFieldsProps) {
  const { draft, onChange, file, head, preview } = contacts;
  // What is wrong with a file that was chosen is said at once.
  const fileError = file === null ? errors['file'] : (contacts.errors['file'] ?? errors['file']);
  return (
    <Stack>
      <SegmentedControl
        aria-label="Where the contacts come from"
        data={[...SOURCES]}
        value={draft.from}
        onChange={(from) => onChange({ ...draft, from })}
        style={{ alignSelf: 'flex-start' }}
      />
      {draft.from === 'file' ? (
        <FileField file={contacts.chosen} error={fileError} onChoose={onChoose} variables={contacts.variables} />
      ) : (
        <PasteField contacts={contacts} error={fileError} />
      )}
      <CountryField contacts={contacts} error={errors['default_country']} />
      {head !== null && (
        <>
          {hasNumberAsHeader(head.header) && (
            <Text size="sm" c="var(--mantine-color-error)">
              The first line must name the columns, and this one has a number. Add a line such as “phone” above it.
            </Text>
          )}
          <MappingFields contacts={contacts} head={head} errors={{ ...errors, ...contacts.errors }} />
          {preview !== null && <PreviewTable preview={preview} hasMore={head.hasMore} />}
        </>
      )}
    </Stack>
  );
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function CountryField({ contacts, error }: { readonly contacts: Contacts; readonly error: string | undefined }) {
  const { draft, onChange } = contacts;
  const countries = useMemo(
    () =>
      countryCodes()
        .map((value) => ({ value, label: `${COUNTRY_NAMES.of(value) ?? value} (${value})` }))
        .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
    [],
  );
  return (
    <Select
      label="Country of numbers without a country code"
      description="Empty: every number begins with a plus sign and its country code."
      placeholder="None"
      data={countries}
      value={draft.default_country === '' ? null : draft.default_country}
      onChange={(country) => onChange({ ...draft, default_country: country ?? '' })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear country' }}
      nothingFoundMessage="No such country"
      error={error}
    />
  );
}
