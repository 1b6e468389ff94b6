import { Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatPhoneNumber } from '../../../../shared/format/numbers.ts';
import classes from './contacts.module.css';
import type { Preview, PreviewLine } from './preview.ts';

interface PreviewTableProps {
  readonly preview: Preview;
  readonly hasMore: boolean;
}

/** The first lines, as the service would read them. */
export function PreviewTable({ preview: { columns, lines }, hasMore }: PreviewTableProps) {
  return (
    <div>
      <Text size="sm" role="status">
        {summaryOf(lines, hasMore)}
      </Text>
      {lines.length > 0 && (
        <div className={classes['lines']} tabIndex={0} role="region" aria-label="First lines of the file">
          <Table aria-label="First lines of the file" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                <Table.Th>Number</Table.Th>
                {columns.map((name, at) => (
                  <Table.Th key={at}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((line) => (
                <Table.Tr key={line.line}>
                  <Table.Td className="tabular">{line.line}</Table.Td>
                  <Table.Td>
                    <NumberCell line={line} />
                  </Table.Td>
                  {line.cells.map((text, at) => (
                    <Table.Td key={at} className={classes['cell'] ?? ''}>
                      {text}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </div>
  );
}

function NumberCell({ line: { number, problems } }: { readonly line: PreviewLine }) {
  if (number !== null) return <span className={classes['number']}>{formatPhoneNumber(number)}</span>;
  return (
    <span className={classes['problem']}>
      <IconAlertTriangle size={14} aria-hidden />
      <span>
        {problems.map(({ column, message }) => (column === '' ? message : `${column} ${message}`)).join('; ')}
      </span>
    </span>
  );
}

function summaryOf(lines: readonly PreviewLine[], hasMore: boolean): string {
  const bad = lines.filter(({ number }) => number === null).length;
  if (lines.length === 0) return 'The file has no line after its header.';
  const read = lines.length === 1 ? 'line' : `${lines.length} lines`;
  const what = hasMore ? `The first ${read} of the file` : `All ${read} of the file`;
  const result = bad === 0 ? 'no problem' : `${bad} that ${bad === 1 ? 'is' : 'are'} no contact, and would be left out`;
  return `${what}: ${result}. Rates and blocked destinations are checked when it is sent.`;
}
