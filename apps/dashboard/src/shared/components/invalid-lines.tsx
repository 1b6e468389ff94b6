import { ScrollArea, Table } from '@mantine/core';

interface InvalidLine {
  readonly line: number;
  readonly text: string;
  /** What is wrong. Undefined: it is the same for all lines. */
  readonly message?: string | undefined;
}

/** The lines that are not numbers, each with its line number. Nothing when all are. */
export function InvalidLines({ lines }: { readonly lines: readonly InvalidLine[] }) {
  if (lines.length === 0) return null;
  const hasMessages = lines.some(({ message }) => message !== undefined);
  return (
    <ScrollArea.Autosize
      mah={220}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Invalid lines' }}
    >
      <Table aria-label="Invalid lines" verticalSpacing={4} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="4.5rem">Line</Table.Th>
            <Table.Th>Content</Table.Th>
            {hasMessages && <Table.Th>Problem</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ line, text, message }, at) => (
            // A line may have several problems.
            <Table.Tr key={at}>
              <Table.Td className="tabular">{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
              {hasMessages && <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
