import type { CampaignColumns } from '@outdial/contracts';
import { ContactFileRefused } from './file-refusal.ts';
import type { Row } from './row-options.ts';

/** A column of the file, and what it is for. */
export interface Column {
  readonly index: number;
  /** As the header names it. */
  readonly title: string;
}

export interface NamedColumn extends Column {
  /** Of the variable, or of the metadata field. */
  readonly name: string;
}

export interface ContactColumns {
  readonly count: number;
  readonly number: Column;
  readonly timeZone: Column | null;
  readonly variables: readonly NamedColumn[];
  readonly metadata: readonly NamedColumn[];
}

export interface ColumnsInput {
  readonly columns: CampaignColumns;
  /** The variables that the agent needs. */
  readonly variables: readonly string[];
}

const MAX_COLUMNS = 1_000;
const NUMBER_TITLES = ['to_number', 'phone', 'phone_number', 'number'];
const MOST_TITLES_NAMED = 20;

/** What the header and the mapping say. Capitals do not matter. @throws ContactFileRefused */
export function contactColumns({ line, cells }: Row, { columns, variables }: ColumnsInput): ContactColumns {
  if (cells.length > MAX_COLUMNS) {
    throw new ContactFileRefused('body', `has ${cells.length} columns in line ${line}; it may have ${MAX_COLUMNS}`);
  }
  const byTitle = new Map<string, Column>();
  for (const [index, title] of cells.entries()) {
    if (title === '') continue;
    if (byTitle.has(keyOf(title)))
      throw new ContactFileRefused('body', `has two columns “${cut(title)}” in line ${line}`);
    byTitle.set(keyOf(title), { index, title });
  }
  const known = [...byTitle.values()].slice(0, MOST_TITLES_NAMED).map(({ title }) => cut(title));
  const has = `line ${line} has: ${known.join(', ').slice(0, 500)}`;

  function mapped(title: string, what: string): Column {
    const column = byTitle.get(keyOf(title));
    if (column !== undefined) return column;
    throw new ContactFileRefused('columns', `names “${cut(title)}” for ${what}, which is no column: ${has}`);
  }
  const named = (titles: Readonly<Record<string, string>>, what: string): readonly NamedColumn[] =>
    Object.entries(titles).map(([name, title]) => ({ ...mapped(title, `${what} ${name}`), name }));

  function numberColumn(): Column {
    if (columns.to_number !== undefined) return mapped(columns.to_number, 'the number');
    const column = usualNumberColumn(byTitle);
    if (column !== null) return column;
    throw new ContactFileRefused(
      'body',
      `has no column of numbers: name one ${NUMBER_TITLES.join(', ')}, or map it in the campaign’s columns.to_number; ${has}`,
    );
  }

  const number = numberColumn();
  const layout: ContactColumns = {
    count: cells.length,
    number,
    timeZone: columns.time_zone === undefined ? null : mapped(columns.time_zone, 'the time zone'),
    variables:
      columns.variables === undefined
        ? ownVariables(byTitle, variables, number)
        : named(columns.variables, 'the variable'),
    metadata: named(columns.metadata ?? {}, 'the metadata field'),
  };
  const given = new Set(layout.variables.map(({ name }) => name));
  const missing = variables.find((name) => !given.has(name));
  if (missing === undefined) return layout;
  throw new ContactFileRefused('body', `has no column for the variable ${missing}, which the agent needs: ${has}`);
}

/** What a file without a mapping would mean, as a mapping. Of titles that are twice the first counts. */
export function usualColumns(titles: readonly string[], variables: readonly string[]): CampaignColumns {
  const byTitle = new Map<string, Column>();
  for (const [index, title] of titles.entries()) {
    if (title !== '' && !byTitle.has(keyOf(title))) byTitle.set(keyOf(title), { index, title });
  }
  const number = usualNumberColumn(byTitle);
  const own = ownVariables(byTitle, variables, number);
  return {
    ...(number !== null && { to_number: number.title }),
    variables: Object.fromEntries(own.map(({ name, title }) => [name, title])),
  };
}

type ByTitle = ReadonlyMap<string, Column>;

function usualNumberColumn(byTitle: ByTitle): Column | null {
  return NUMBER_TITLES.map((title) => byTitle.get(title)).find((found) => found !== undefined) ?? null;
}

/** The columns that have the name of a variable. */
function ownVariables(byTitle: ByTitle, variables: readonly string[], number: Column | null): readonly NamedColumn[] {
  return variables.flatMap((name) => {
    const column = byTitle.get(keyOf(name));
    return column === undefined || column.index === number?.index ? [] : [{ ...column, name }];
  });
}

const keyOf = (title: string): string => title.trim().toLowerCase();
const cut = (title: string): string => title.slice(0, 60).replace(/\p{Surrogate}$/u, '');
