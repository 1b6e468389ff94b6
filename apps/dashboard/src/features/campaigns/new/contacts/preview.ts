import {
  contactColumns,
  ContactFileRefused,
  contactReader,
  type ContactProblem,
  type FileHead,
  type Row,
} from '@outdial/contact-files/preview';
import { columnsOf, type ContactsDraft } from '../draft/contacts-draft.ts';

/** A line of the file, as the service would read it. */
export interface PreviewLine {
  readonly line: number;
  /** Null: the line is no contact. */
  readonly number: string | null;
  /** By the columns of `Preview`. */
  readonly cells: readonly string[];
  readonly problems: readonly ContactProblem[];
}

export interface Preview {
  /** What the columns after the number are for. */
  readonly columns: readonly string[];
  readonly lines: readonly PreviewLine[];
}

/** What the first lines of a file mean. What an account may call is only known to the service. @throws ContactFileRefused */
function previewOf({ header, rows }: FileHead, draft: ContactsDraft, variables: readonly string[]): Preview {
  const columns = contactColumns(header, { columns: columnsOf(draft), variables });
  const defaultCountry = draft.default_country === '' ? null : draft.default_country;
  const read = contactReader(columns, { defaultCountry, variables, destinationProblem: () => null });
  const shown = [
    ...columns.variables.map(({ index, name }) => ({ index, label: name })),
    ...(columns.timeZone === null ? [] : [{ index: columns.timeZone.index, label: 'Time zone' }]),
    ...columns.metadata.map(({ index, name }) => ({ index, label: name })),
  ];
  return {
    columns: shown.map(({ label }) => label),
    lines: rows.map((row): PreviewLine => {
      const reading = read(row);
      const cells = shown.map(({ index }) => row.cells[index] ?? '');
      return 'contact' in reading
        ? { line: row.line, number: reading.contact.number, cells, problems: [] }
        : { line: row.line, number: null, cells, problems: reading.problems };
    }),
  };
}

/** The preview, or what is wrong with the file as a whole. */
export function tryPreview(
  head: FileHead,
  draft: ContactsDraft,
  variables: readonly string[],
): { readonly preview: Preview; readonly problem: null } | { readonly preview: null; readonly problem: string } {
  try {
    return { preview: previewOf(head, draft, variables), problem: null };
  } catch (error) {
    return { preview: null, problem: problemWords(error) };
  }
}

/** What is wrong with a file, as a sentence. */
export function problemWords(error: unknown): string {
  if (!(error instanceof ContactFileRefused)) return 'The browser cannot read this file. Choose it again.';
  return error.param === 'default_country' ? `The country ${error.problem}.` : `The file ${error.problem}.`;
}

/** The titles that a column may be chosen by: those that are there once. */
export function titlesOf({ cells }: Row): readonly string[] {
  return [...new Set(cells.filter((title) => title !== ''))];
}

export function hasNumberAsHeader({ cells }: Row): boolean {
  return cells.some((cell) => /^\+?\d[\d\s().\-/]{6,}$/.test(cell));
}
