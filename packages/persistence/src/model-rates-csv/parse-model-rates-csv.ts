import type { ModelRate } from '@outdial/calls';
import { modelRateLineSchema } from '@outdial/contracts';
import { CsvError, parse } from 'csv-parse/sync';
import { MODEL_RATE_CSV_COLUMNS, type ModelRateCsvColumn } from './format-model-rates-csv.ts';

/** A problem in one line of the file. Lines count from 1, including the header. */
export interface ModelRatesCsvProblem {
  readonly line: number;
  readonly message: string;
}

export type ParsedModelRatesCsv =
  | { readonly ok: true; readonly rates: readonly ModelRate[] }
  | { readonly ok: false; readonly problems: readonly ModelRatesCsvProblem[] };

/**
 * Parses a file of model rates (CSV as in RFC 4180, one rate per line, with a header). A file with any problem is rejected
 * whole, and every broken line is listed.
 */
export function parseModelRatesCsv(text: string): ParsedModelRatesCsv {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const layout = layoutOf(header);
  if (layout === null) {
    const message = `the first line must name the columns ${MODEL_RATE_CSV_COLUMNS.join(',')}, each once and no other`;
    return { ok: false, problems: [{ line: 1, message }] };
  }
  const rates: ModelRate[] = [];
  const problems: ModelRatesCsvProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, content] of lines.entries()) {
    const line = index + 2;
    if (content.trim() === '') continue;
    const parsed = parseLine(content, layout);
    if (!parsed.ok) {
      problems.push(...parsed.messages.map((message) => ({ line, message })));
      continue;
    }
    const key = keyOf(parsed.rate);
    const earlier = lineOf.get(key);
    if (earlier === undefined) lineOf.set(key, line);
    else problems.push({ line, message: `${key} is already in line ${earlier}; keep one of the two` });
    rates.push(parsed.rate);
  }
  if (problems.length > 0) return { ok: false, problems };
  return rates.length > 0
    ? { ok: true, rates }
    : { ok: false, problems: [{ line: 1, message: 'the file has no rates' }] };
}

type Layout = ReadonlyMap<ModelRateCsvColumn, number>;

function layoutOf(header: string): Layout | null {
  const names = cellsOf(header)?.map((name) => name.toLowerCase()) ?? [];
  const layout = new Map(MODEL_RATE_CSV_COLUMNS.map((column) => [column, names.indexOf(column)]));
  const isWhole = names.length === MODEL_RATE_CSV_COLUMNS.length && [...layout.values()].every((at) => at >= 0);
  return isWhole ? layout : null;
}

function parseLine(
  content: string,
  layout: Layout,
): { readonly ok: true; readonly rate: ModelRate } | { readonly ok: false; readonly messages: readonly string[] } {
  const cells = cellsOf(content);
  if (cells === null) {
    return { ok: false, messages: ['has a stray double quote; write a quote inside a quoted value twice ("")'] };
  }
  if (cells.length !== layout.size) {
    return { ok: false, messages: [`has ${cells.length} columns instead of ${layout.size}`] };
  }
  const fields = Object.fromEntries([...layout].map(([column, at]) => [column, cells[at] ?? '']));
  const parsed = modelRateLineSchema.safeParse(fields);
  if (!parsed.success) {
    return { ok: false, messages: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  }
  const {
    price_per_million: priceMicrosPerMillion,
    estimate_per_minute: estimateMicrosPerMinute,
    ...rest
  } = parsed.data;
  return { ok: true, rate: { ...rest, priceMicrosPerMillion, estimateMicrosPerMinute } };
}

function keyOf({ component, provider, model, unit }: ModelRate): string {
  return `${component} ${provider} ${model} ${unit}`;
}

/** Null if a quote is not closed. */
function cellsOf(content: string): readonly string[] | null {
  try {
    const [cells = []] = parse(content, { relax_column_count: true });
    return cells.map((cell) => cell.trim());
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
