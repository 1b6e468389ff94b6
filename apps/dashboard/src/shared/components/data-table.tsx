import { Paper, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps {
  /** What the table is of, for readers of the screen. */
  readonly label: string;
  /** Empty text: the column of the buttons. */
  readonly columns: readonly ReactNode[];
  readonly children: ReactNode;
  /** Below it the table is scrolled sideways. */
  readonly minWidth?: number;
}

/** A table on a sheet of its own, that is scrolled sideways where the screen is narrow. */
export function DataTable({ label, columns, children, minWidth = 640 }: DataTableProps) {
  return (
    // Positioned, so that what is hidden from sight in it does not widen the page.
    <Paper withBorder radius="lg" pos="relative" style={{ overflow: 'hidden' }}>
      {/* What can be scrolled must be reachable by keyboard. */}
      <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, at) => (
                <Table.Th key={at} c="dimmed" fw={500} fz="sm">
                  {column === '' ? <VisuallyHidden>Actions</VisuallyHidden> : column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
