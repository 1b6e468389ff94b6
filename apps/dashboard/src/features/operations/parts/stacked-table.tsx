import { Group, Paper, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stacked-table.module.css';

interface StackedTableProps {
  /** The table's name for screen readers. */
  readonly label: string;
  /** Without the column of actions. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/**
 * A table whose rows become cards on a narrow screen. Its roles are explicit because browsers drop the implicit ones of
 * table elements that are displayed as blocks.
 */
export function StackedTable({ label, columns, children }: StackedTableProps) {
  return (
    <Paper withBorder radius="lg" style={{ overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={label} role="table">
        <Table.Thead role="rowgroup" className={classes['head']}>
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th key={column} role="columnheader" c="dimmed" fw={500} fz="sm">
                {column}
              </Table.Th>
            ))}
            <Table.Th role="columnheader">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">{children}</Table.Tbody>
      </Table>
    </Paper>
  );
}

interface StackedRowProps {
  /** By column name, in column order. */
  readonly cells: Readonly<Record<string, ReactNode>>;
  readonly actions: ReactNode;
}

export function StackedRow({ cells, actions }: StackedRowProps) {
  return (
    <Table.Tr role="row" className={classes['row']}>
      {Object.entries(cells).map(([column, cell]) => (
        <Table.Td key={column} role="cell" className={classes['cell']} data-label={column}>
          <div>{cell}</div>
        </Table.Td>
      ))}
      <Table.Td role="cell" className={`${classes['cell']} ${classes['actions']}`}>
        <Group gap="xs" className={classes['buttons']}>
          {actions}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
