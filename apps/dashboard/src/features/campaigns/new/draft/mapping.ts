import { usualColumns } from '@outdial/contact-files/preview';
import type { FieldErrors } from '../../../../shared/forms/field-errors.ts';
import type { ContactsDraft } from './contacts-draft.ts';

/** What the columns of another file are: what was chosen where it has such a column, else what the service would guess. */
export function mappedTo(draft: ContactsDraft, titles: readonly string[], variables: readonly string[]): ContactsDraft {
  const guess = usualColumns(titles, variables);
  const kept = (title: string | undefined) => (title !== undefined && hasTitle(titles, title) ? title : undefined);
  return {
    ...draft,
    to_number: kept(draft.to_number) ?? guess.to_number ?? '',
    time_zone: kept(draft.time_zone) ?? '',
    variables: Object.fromEntries(
      variables.map((name) => [name, kept(own(draft.variables, name)) ?? own(guess.variables ?? {}, name) ?? '']),
    ),
    metadata: Object.fromEntries(Object.entries(draft.metadata).filter(([, title]) => hasTitle(titles, title))),
  };
}

/** What keeps a file with these columns from being read. */
export function mappingErrors(draft: ContactsDraft, variables: readonly string[]): FieldErrors {
  const errors: FieldErrors = {};
  if (draft.to_number === '') errors['to_number'] = 'Choose the column of the numbers';
  for (const name of variables) {
    if ((own(draft.variables, name) ?? '') === '') errors[`variables.${name}`] = 'The agent needs it: choose a column';
  }
  return errors;
}

/** As the service compares them. */
function hasTitle(titles: readonly string[], title: string): boolean {
  const key = title.trim().toLowerCase();
  return key !== '' && titles.some((other) => other.trim().toLowerCase() === key);
}

/** A variable may have a name that every object has, such as `constructor`. */
export function own(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
