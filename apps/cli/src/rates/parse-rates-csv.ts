import type { DeckRate } from '@outdial/persistence';
import { CsvError, parse } from 'csv-parse/sync';
import { parseRate } from './parse-rate.ts';
import { RATE_COLUMNS, type RateColumn, type RatesCsvProblem } from './rates-csv.ts';

export type ParsedRatesCsv =
  | { readonly ok: true; readonly rates: readonly DeckRate[] }
  | { readonly ok: false; readonly problems: readonly RatesCsvProblem[] };

type Cells = { readonly cells: readonly string[] } | { readonly message: string };

/** Where each column stands in a line. */
type Layout = Readonly<Record<RateColumn, number>>;

/**
 * Reads a rates file (CSV after RFC 4180, one rate a line, with a header). A file with any problem is refused whole:
 * half a deck would send calls at the wrong price. Every line that is wrong is named, so that one look is enough.
 */
export function parseRatesCsv(text: string): ParsedRatesCsv {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const layout = parseHeader(header);
  if ('message' in layout) return { ok: false, problems: [{ line: 1, message: layout.message }] };

  const rates: DeckRate[] = [];
  const problems: RatesCsvProblem[] = [];
  const lineOfPrefix = new Map<string, number>();
  for (const [index, content] of lines.entries()) {
    const line = index + 2;
    if (content.trim() === '') continue;
    const parsed = parseLine(content, layout);
    if (!parsed.ok) {
      problems.push(...parsed.messages.map((message) => ({ line, message })));
      continue;
    }
    const { prefix } = parsed.rate;
    const earlier = lineOfPrefix.get(prefix);
    if (earlier === undefined) {
      lineOfPrefix.set(prefix, line);
      rates.push(parsed.rate);
    } else {
      problems.push({ line, message: `prefix ${prefix} stands in line ${earlier} already; keep one of the two` });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  if (rates.length === 0) return { ok: false, problems: [{ line: 1, message: 'the file holds no rates' }] };
  return { ok: true, rates };
}

function parseHeader(line: string): Layout | { readonly message: string } {
  const wanted = `the first line must name the columns ${RATE_COLUMNS.join(',')}`;
  const parsed = parseCells(line);
  if ('message' in parsed) return { message: `${wanted}; ${parsed.message}` };
  const names = parsed.cells.map((name) => name.toLowerCase());
  const missing = RATE_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) return { message: `${wanted}; missing: ${missing.join(', ')}` };
  if (names.length > RATE_COLUMNS.length) return { message: `${wanted}, each once and no other` };
  const position = (column: RateColumn) => names.indexOf(column);
  return {
    prefix: position('prefix'),
    description: position('description'),
    connection_fee: position('connection_fee'),
    price_per_minute: position('price_per_minute'),
    increments: position('increments'),
  };
}

function parseLine(line: string, layout: Layout): ReturnType<typeof parseRate> {
  const parsed = parseCells(line);
  if ('message' in parsed) return { ok: false, messages: [parsed.message] };
  const { cells } = parsed;
  if (cells.length !== RATE_COLUMNS.length) {
    const hint = cells.length > RATE_COLUMNS.length ? '; put a value that has commas in double quotes' : '';
    return { ok: false, messages: [`has ${cells.length} columns instead of ${RATE_COLUMNS.length}${hint}`] };
  }
  const cell = (column: RateColumn) => cells[layout[column]] ?? '';
  return parseRate({
    prefix: cell('prefix'),
    description: cell('description'),
    connection_fee: cell('connection_fee'),
    price_per_minute: cell('price_per_minute'),
    increments: cell('increments'),
  });
}

/** A line at a time: a quote that is never closed would otherwise swallow the lines after it and hide their problems. */
function parseCells(line: string): Cells {
  try {
    const [cells = []] = parse(line, { relax_column_count: true });
    return { cells: cells.map((cell) => cell.trim()) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { message: 'has a stray double quote; write a quote inside a quoted value twice ("")' };
  }
}
