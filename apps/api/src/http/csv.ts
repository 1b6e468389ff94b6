export type CsvCell = string | number | null;

/** Spreadsheets recognize UTF-8 by it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What spreadsheets execute as a formula or a command, even after spaces or in the full width of East Asian input. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]|^[\t\r\n]/;
/** `+` and digits compute nothing, and an apostrophe would make the number unusable for dialing and lookup. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** A semicolon is quoted too: many European spreadsheets would split the field there. */
const NEEDS_QUOTES = /[",;\r\n]/;

/** RFC 4180: a line with its line break. An apostrophe precedes text that a spreadsheet would compute. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toField).join(',')}\r\n`;
}

function toField(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) && !PHONE_NUMBER.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
