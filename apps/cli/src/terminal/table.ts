export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Numbers stand at the right, so that their digits line up. */
  readonly align?: 'left' | 'right';
}

const GAP = '  ';

/** Rows as aligned columns below their titles; the given sentence where there are none. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  whenEmpty: string,
): readonly string[] {
  if (rows.length === 0) return [whenEmpty];
  const body = rows.map((row) => columns.map((column) => printable(column.value(row))));
  const lines = [columns.map((column) => column.title), ...body];
  // Not Math.max(...lengths): a deck of a hundred thousand rates has more of them than a call takes arguments.
  const widths = columns.map((_, index) => lines.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), 0));
  return lines.map((line) =>
    line
      .map((cell, index) => padded(cell, widths[index] ?? 0, columns[index]?.align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  );
}

/** Names and values of one thing, a line each, the values in one column. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}${GAP}${printable(value)}`.trimEnd());
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
}

/** A name that was saved with an escape sequence or a line break must not steer the terminal that lists it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
