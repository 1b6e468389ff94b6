import { MultiSelect, Select, SimpleGrid, Text } from '@mantine/core';
import type { FileHead } from '@outdial/contact-files/preview';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import { withMetadata } from '../draft/contacts-draft.ts';
import { own } from '../draft/mapping.ts';
import { titlesOf } from './preview.ts';
import type { Contacts } from './use-contacts.ts';

interface MappingFieldsProps {
  readonly contacts: Contacts;
  readonly head: FileHead;
  readonly errors: FieldErrors;
}

/** Which column is what. */
export function MappingFields({ contacts: { draft, onChange, variables }, head, errors }: MappingFieldsProps) {
  const titles = titlesOf(head.header);
  /** A choice made with another spelling is shown as the file has it. */
  const shown = (chosen: string | undefined) =>
    titles.find((title) => title.toLowerCase() === chosen?.trim().toLowerCase()) ?? null;
  return (
    <div role="group" aria-label="Columns of the file">
      <Text size="sm" fw={600} mb="xs">
        Columns of the file
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Numbers"
          placeholder="Choose a column"
          data={titles}
          value={shown(draft.to_number)}
          onChange={(title) => onChange({ ...draft, to_number: title ?? '' })}
          allowDeselect={false}
          error={errors['to_number']}
        />
        <Select
          label="Time zones"
          placeholder="None: by the number"
          data={titles}
          value={shown(draft.time_zone)}
          onChange={(title) => onChange({ ...draft, time_zone: title ?? '' })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear time zones' }}
          error={errors['time_zone']}
        />
        {variables.map((name) => (
          <Select
            key={name}
            label={`Variable ${name}`}
            placeholder="Choose a column"
            data={titles}
            value={shown(own(draft.variables, name))}
            onChange={(title) => onChange({ ...draft, variables: { ...draft.variables, [name]: title ?? '' } })}
            allowDeselect={false}
            error={errors[`variables.${name}`]}
          />
        ))}
        <MultiSelect
          label="Kept as metadata"
          description="Returned with each call, and in webhooks."
          placeholder={Object.keys(draft.metadata).length === 0 ? 'None' : ''}
          data={titles}
          value={Object.values(draft.metadata).flatMap((title) => shown(title) ?? [])}
          onChange={(chosen) => onChange(withMetadata(draft, chosen))}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear metadata' }}
          error={errors['metadata']}
        />
      </SimpleGrid>
    </div>
  );
}
