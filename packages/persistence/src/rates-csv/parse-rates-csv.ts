import type { DeckRate } from '../administration/rates.ts';
import { CsvError, parse } from 'csv-parse/sync';
import { parseRate, type ParsedRate, type RateProblem } from './parse-rate.ts';
import { RATE_COLUMNS, type RateColumn, type RatesCsvProblem } from './rates-csv.ts';

export type ParsedRatesCsv =
  | { readonly ok: true; readonly rates: readonly DeckRate[] }
  | {
      readonly ok: false;
      /** In line order, the first thousand. */
      readonly problems: readonly RatesCsvProblem[];
      readonly problemCount: number;
    };

/** A file in another format would produce a problem in every line. */
const MAX_PROBLEMS = 1_000;

type Cells = { readonly cells: readonly string[] } | { readonly message: string };

/** The position of each column in a line. */
type Layout = Readonly<Record<RateColumn, number>>;

/**
 * Parses a rates file (CSV as in RFC 4180, one rate per line, with a header). A file with any problem is rejected whole:
 * half a deck would price calls wrongly. Every broken line is listed, so that one pass is enough.
 */
export function parseRatesCsv(text: string): ParsedRatesCsv {
  const reader = createLineReader();
  for (const line of text.replace(/^\uFEFF/, '').split(LINE_END)) reader.read(line);
  return reader.finish();
}

/** The same for a stream, such as a request's body. Keeps at most one line of text in memory. */
export async function readRatesCsv(chunks: AsyncIterable<Uint8Array>): Promise<ParsedRatesCsv> {
  // TextDecoder strips the byte order mark.
  const decoder = new TextDecoder();
  const reader = createLineReader();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(LINE_END);
    rest = lines.pop() ?? '';
    // The line feed after a final carriage return may come with the next chunk.
    if (lines.length > 0 && rest === '' && isCutInLineEnd(chunk)) rest = `${lines.pop() ?? ''}\r`;
    for (const line of lines) reader.read(line);
    if (rest.length > MAX_LINE_LENGTH) {
      reader.read(rest);
      rest = '';
    }
  }
  for (const line of (rest + decoder.decode()).split(LINE_END)) reader.read(line);
  return reader.finish();
}

/** No rate is this long. Without the limit, text without line ends would be scanned again with every chunk. */
const MAX_LINE_LENGTH = 64 * 1024;

const LINE_END = /\r\n|\n|\r/;
const isCutInLineEnd = (chunk: Uint8Array) => chunk.at(-1) === 0x0d;

function createLineReader() {
  const rates: DeckRate[] = [];
  const problems: RatesCsvProblem[] = [];
  const lineOfPrefix = new Map<string, number>();
  let problemCount = 0;
  let line = 0;
  let layout: Layout | undefined;

  function note(found: readonly RateProblem[]): void {
    problemCount += found.length;
    const room = MAX_PROBLEMS - problems.length;
    problems.push(...found.slice(0, room).map((problem) => ({ line, ...problem })));
  }

  function readRate(content: string, columns: Layout): void {
    const parsed = parseLine(content, columns);
    if (!parsed.ok) return note(parsed.problems);
    const { prefix } = parsed.rate;
    const earlier = lineOfPrefix.get(prefix);
    if (earlier !== undefined) {
      const message = `prefix ${prefix} is already in line ${earlier}; keep one of the two`;
      return note([{ column: 'prefix', message }]);
    }
    lineOfPrefix.set(prefix, line);
    rates.push(parsed.rate);
  }

  return {
    /** The first line is the header. */
    read(content: string): void {
      line += 1;
      if (line === 1) {
        const parsed = parseHeader(content);
        if ('message' in parsed) note([{ column: null, message: parsed.message }]);
        else layout = parsed;
      } else if (layout !== undefined && content.trim() !== '') {
        readRate(content, layout);
      }
    },
    finish(): ParsedRatesCsv {
      if (problemCount > 0) return { ok: false, problems, problemCount };
      if (rates.length > 0) return { ok: true, rates };
      return { ok: false, problems: [{ line: 1, column: null, message: 'the file has no rates' }], problemCount: 1 };
    },
  };
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

function parseLine(line: string, layout: Layout): ParsedRate {
  const parsed = parseCells(line);
  if ('message' in parsed) return { ok: false, problems: [{ column: null, message: parsed.message }] };
  const { cells } = parsed;
  if (cells.length !== RATE_COLUMNS.length) {
    const hint = cells.length > RATE_COLUMNS.length ? '; put a value that has commas in double quotes' : '';
    const message = `has ${cells.length} columns instead of ${RATE_COLUMNS.length}${hint}`;
    return { ok: false, problems: [{ column: null, message }] };
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

/** One line at a time: an unclosed quote would otherwise swallow the following lines and hide their problems. */
function parseCells(line: string): Cells {
  // The common case: the parser returns the same, a hundred times slower.
  if (!line.includes('"')) return { cells: line.split(',').map((cell) => cell.trim()) };
  try {
    const [cells = []] = parse(line, { relax_column_count: true });
    return { cells: cells.map((cell) => cell.trim()) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { message: 'has a stray double quote; write a quote inside a quoted value twice ("")' };
  }
}
