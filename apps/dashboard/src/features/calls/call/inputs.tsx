import { Code, Paper, Table, Text, Title } from '@mantine/core';
import type { CallBody } from '@outdial/contracts';
import classes from './facts.module.css';

/** The call's inputs: variables for the agent's script, and the client's metadata. */
export function Inputs({ call: { variables, metadata } }: { readonly call: CallBody }) {
  const names = Object.entries(variables);
  const hasMetadata = Object.keys(metadata).length > 0;
  if (names.length === 0 && !hasMetadata) return null;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="inputs">
      <Title order={2} size="h4" id="inputs" mb="sm">
        Variables and metadata
      </Title>
      {names.length > 0 && (
        <Table aria-label="Variables" horizontalSpacing={0} className={classes['values']}>
          <Table.Tbody>
            {names.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400} c="dimmed" w="40%">
                  {name}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {hasMetadata && (
        <>
          <Text size="xs" c="dimmed" mt="sm" mb={4}>
            Metadata
          </Text>
          <Code block tabIndex={0} aria-label="Metadata as JSON" mah={220} style={{ overflow: 'auto' }}>
            {JSON.stringify(metadata, null, 2)}
          </Code>
        </>
      )}
    </Paper>
  );
}
