import { CALL_LIMITS, type E164 } from '@outdial/contracts';
import { zoneNamed } from '@outdial/numbering';
import type { Column, ContactColumns, NamedColumn } from './contact-columns.ts';
import { numberReader } from './number-of.ts';
import type { Row } from './row-options.ts';

export interface Contact {
  readonly line: number;
  readonly number: E164;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly timeZone: string | null;
}

/** Why a line is no contact. */
export interface ContactProblem {
  readonly line: number;
  /** As the header names it; empty for the line as a whole. */
  readonly column: string;
  /** What stands there: digits masked, cut to 40 characters. */
  readonly value: string;
  readonly message: string;
}

export interface ContactRules {
  /** ISO 3166-1 alpha-2, for numbers without a calling code. Null: every number has one. */
  readonly defaultCountry: string | null;
  /** The variables that the agent needs. */
  readonly variables: readonly string[];
  /** What keeps the account from calling a number, such as that it has no rate. Null: nothing does. */
  readonly destinationProblem: (number: E164) => string | null;
}

type LineReading = { readonly contact: Contact } | { readonly problems: readonly ContactProblem[] };

const MAX_VALUE_LENGTH = 40;
const MOST_ZONES_KEPT = 1_000;

/** Reads the rows after the header. @throws ContactFileRefused if the rules cannot hold for any */
export function contactReader(columns: ContactColumns, rules: ContactRules): (row: Row) => LineReading {
  const readNumber = numberReader(rules.defaultCountry);
  const zoneOf = keptZones();
  const needed = new Set(rules.variables);

  function numberIn(cell: string, refuse: Refuse): E164 | null {
    const reading = readNumber(cell);
    if ('message' in reading) return refuse(columns.number, cell, reading.message);
    const problem = rules.destinationProblem(reading.number);
    return problem === null ? reading.number : refuse(columns.number, cell, problem);
  }

  function zoneIn(cell: string, refuse: Refuse): string | null {
    if (columns.timeZone === null || cell === '') return null;
    return zoneOf(cell) ?? refuse(columns.timeZone, cell, 'must be a time zone such as America/New_York');
  }

  function variableIn(column: NamedColumn, text: string, refuse: Refuse): void {
    if (text === '' && needed.has(column.name)) {
      refuse(column, text, `is empty, and the agent needs the variable ${column.name}`);
    }
    if (text.length > CALL_LIMITS.variableLength) {
      refuse(column, text, `must be at most ${CALL_LIMITS.variableLength} characters`);
    }
  }

  return ({ line, cells }) => {
    if (cells.length !== columns.count) {
      const more = cells.length > columns.count ? '; put a text that has the separator in double quotes' : '';
      const message = `has ${cells.length} cells instead of ${columns.count}${more}`;
      return { problems: [{ line, column: '', value: masked(cells[columns.number.index] ?? ''), message }] };
    }
    const cellOf = (column: Column): string => cells[column.index] ?? '';
    const problems = new Map<string, ContactProblem>();
    const refuse: Refuse = ({ title }, value, message) => {
      // One of a column: two variables may share it.
      if (!problems.has(title)) problems.set(title, { line, column: title, value: masked(value), message });
      return null;
    };

    const number = numberIn(cellOf(columns.number), refuse);
    const timeZone = columns.timeZone === null ? null : zoneIn(cellOf(columns.timeZone), refuse);
    for (const column of columns.variables) variableIn(column, cellOf(column), refuse);
    const variables = textsIn(cells, columns.variables);
    const metadata = textsIn(cells, columns.metadata);
    for (const message of tooMuch(variables, metadata)) refuse({ index: -1, title: '' }, '', message);
    if (number === null || problems.size > 0) return { problems: [...problems.values()] };
    return { contact: { line, number, variables, metadata, timeZone } };
  };
}

/** Without those that are empty. */
function textsIn(cells: readonly string[], named: readonly NamedColumn[]): Readonly<Record<string, string>> {
  const texts: (readonly [name: string, text: string])[] = [];
  for (const { index, name } of named) {
    const text = cells[index] ?? '';
    if (text !== '') texts.push([name, text]);
  }
  return Object.fromEntries(texts);
}

type Refuse = (column: Column, value: string, message: string) => null;

/** As for a request for a call. Most rows are far below: neither are their bytes counted, nor are they written as JSON. */
function tooMuch(variables: Contact['variables'], metadata: Contact['metadata']): readonly string[] {
  const { variablesBytes, variables: most, metadataBytes } = CALL_LIMITS;
  const problems = [];
  if (Object.keys(variables).length > most) problems.push(`has more than ${most} variables`);
  // In UTF-8 a unit of UTF-16 has at most three bytes.
  if (3 * unitsOf(variables) > variablesBytes && bytesOf(Object.entries(variables).flat()) > variablesBytes) {
    problems.push(`has more than ${variablesBytes} bytes of variables`);
  }
  // In JSON a unit has at most nine bytes, quotes included.
  if (9 * unitsOf(metadata) > metadataBytes && bytesOf([JSON.stringify(metadata)]) > metadataBytes) {
    problems.push(`has more than ${metadataBytes} bytes of metadata`);
  }
  return problems;
}

function unitsOf(texts: Readonly<Record<string, string>>): number {
  let units = 0;
  for (const name of Object.keys(texts)) units += name.length + (texts[name]?.length ?? 0);
  return units;
}

/** In UTF-8. Runs in a browser too. */
const utf8 = new TextEncoder();
const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + utf8.encode(text).length, 0);

/** Enough to find the line, not enough to learn a number. */
function masked(value: string): string {
  return value
    .slice(0, MAX_VALUE_LENGTH)
    .replace(/\p{Surrogate}$/u, '')
    .replace(/\p{Nd}/gu, '•');
}

/** The answers for the texts that the file began with: to find out that a text is no zone takes a while. */
function keptZones(): (text: string) => string | null {
  const kept = new Map<string, string | null>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const zone = zoneNamed(text);
    if (kept.size < MOST_ZONES_KEPT) kept.set(text, zone);
    return zone;
  };
}
