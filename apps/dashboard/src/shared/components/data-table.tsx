import { Paper, Table, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './data-table.module.css';

/** A column's name; `end` is for amounts. */
type Column = string | { readonly label: string; readonly align: 'end' };

interface DataTableProps {
  /** What the table is of, for screen readers. */
  readonly label: string;
  /** Empty text: the column of the buttons. */
  readonly columns: readonly Column[];
  readonly children: ReactNode;
  /** Below it the table is scrolled sideways. On a phone it never is: each row is a card. */
  readonly minWidth?: number;
}

/**
 * A table on a sheet of its own. Where the screen is narrow it is scrolled sideways; on a phone each row becomes a card
 * with the name of the column before each cell, so that no button is out of sight. The first cell is the card's title.
 */
export function DataTable({ label, columns, children, minWidth = 640 }: DataTableProps) {
  const names = columns.map((column) => (typeof column === 'string' ? column : column.label));
  return (
    // Positioned, so that what is hidden from sight in it does not widen the page.
    <Paper withBorder radius="lg" pos="relative" style={{ overflow: 'hidden' }}>
      {/* What can be scrolled must be reachable by keyboard. */}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={label}>
        <Table
          verticalSpacing="sm"
          horizontalSpacing="md"
          aria-label={label}
          role="table"
          className={classes['table'] ?? ''}
          style={cardLabels(names, minWidth)}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr>
              {columns.map((column, at) => (
                <Table.Th
                  key={at}
                  scope="col"
                  c="dimmed"
                  fw={500}
                  fz="sm"
                  {...(typeof column === 'string' ? {} : { ta: 'right' as const })}
                >
                  {names[at] === '' ? <VisuallyHidden>Actions</VisuallyHidden> : names[at]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">{children}</Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}

type TableStyle = CSSProperties & Readonly<Record<`--${string}`, string>>;

/** The names of the columns for the style sheet, which has them before each cell of a card. */
function cardLabels(names: readonly string[], minWidth: number): TableStyle {
  const labels = names.map((name, at) => [`--column-${at + 1}`, JSON.stringify(name)]);
  return { '--table-min-width': `${minWidth}px`, ...Object.fromEntries(labels) };
}
