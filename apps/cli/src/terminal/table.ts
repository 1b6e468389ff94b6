import stringWidth from 'string-width';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Numbers align right, so that their digits line up. */
  readonly align?: 'left' | 'right';
}

const GAP = '  ';

/** Rows as aligned columns below their titles, or the given sentence when there are no rows. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  whenEmpty: string,
): readonly string[] {
  if (rows.length === 0) return [whenEmpty];
  const body = rows.map((row) => columns.map((column) => printable(column.value(row))));
  const lines = [columns.map((column) => column.title), ...body];
  // Not Math.max(...lengths): a deck may have more rates than a JavaScript call accepts arguments.
  const widths = columns.map((_, index) =>
    lines.reduce((width, line) => Math.max(width, stringWidth(line[index] ?? '')), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, index) => padded(cell, widths[index] ?? 0, columns[index]?.align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  );
}

/** Names and values, one pair per line, with the values aligned in one column. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => stringWidth(name)));
  return facts.map(([name, value]) => `${padded(name, width, 'left')}${GAP}${printable(value)}`.trimEnd());
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  // By columns of the terminal: a Chinese character or an emoji takes two, a combining mark none.
  const blanks = ' '.repeat(width - stringWidth(cell));
  return align === 'right' ? blanks + cell : cell + blanks;
}

/** A stored escape sequence or line break must not control the terminal that lists it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
