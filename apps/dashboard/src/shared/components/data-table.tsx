import { Paper, Table, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './data-table.module.css';

/** A column's name. Amounts align to the `end`. */
type Column = string | { readonly label: string; readonly align: 'end' };

interface DataTableProps {
  /** The table's name for screen readers. */
  readonly label: string;
  /** An empty name marks the column of buttons. */
  readonly columns: readonly Column[];
  readonly children: ReactNode;
  /** Below this width the table scrolls sideways. On a phone each row is a card and nothing scrolls. */
  readonly minWidth?: number;
}

/**
 * A table in a panel. On a narrow screen it scrolls sideways. On a phone each row becomes a card with the column name
 * before each cell, so that no button is out of sight; the first cell is the card's title.
 */
export function DataTable({ label, columns, children, minWidth = 640 }: DataTableProps) {
  const names = columns.map((column) => (typeof column === 'string' ? column : column.label));
  return (
    // Positioned, so that visually hidden content does not widen the page.
    <Paper withBorder radius="lg" pos="relative" style={{ overflow: 'hidden' }}>
      {/* A scrollable region must be reachable by keyboard. */}
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

/** Passes the column names to the style sheet, which shows them before each cell of a card. */
function cardLabels(names: readonly string[], minWidth: number): TableStyle {
  const labels = names.map((name, at) => [`--column-${at + 1}`, JSON.stringify(name)]);
  return { '--table-min-width': `${minWidth}px`, ...Object.fromEntries(labels) };
}
