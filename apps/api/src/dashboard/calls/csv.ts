export type CsvCell = string | number | null;

/** By which spreadsheets know UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What spreadsheets take for a formula or a command, also behind blanks, and in the full width of East Asian input. */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]|^[\t\r\n]/;
/** `+` and digits compute nothing, and an apostrophe would spoil them for whoever dials or looks up. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** The delimiter of many European spreadsheets is quoted too: theirs would split such a field. */
const NEEDS_QUOTES = /[",;\r\n]/;

/** RFC 4180: a line with its end. Text that a spreadsheet would compute begins with an apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toField).join(',')}\r\n`;
}

function toField(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) && !PHONE_NUMBER.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
