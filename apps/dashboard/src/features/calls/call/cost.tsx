import { Paper, Table, Text, Title } from '@mantine/core';
import type { CallBody } from '@outdial/contracts';
import { formatMoney } from '../../../shared/format/numbers.ts';
import { costLines } from '../model/cost-lines.ts';

/** The call's cost and its breakdown. */
export function Cost({ call }: { readonly call: CallBody }) {
  const { total, reserved } = call.cost_breakdown;
  const money = (amount: number) => formatMoney(amount, call.currency);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="cost">
      <Title order={2} size="h4" id="cost" mb="sm">
        Cost
      </Title>
      <Table aria-label="Cost" horizontalSpacing={0} withRowBorders={false}>
        <Table.Tbody>
          {costLines(call).map(({ key, title, details, cost }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                {title}
                {details.map((detail) => (
                  <Text key={detail} size="xs" c="dimmed" span display="block">
                    {detail}
                  </Text>
                ))}
              </Table.Th>
              <Table.Td ta="right" style={{ verticalAlign: 'top' }}>
                {cost}
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row" fw={600}>
              Total
            </Table.Th>
            <Table.Td ta="right" fw={600}>
              {call.status === 'ended' ? money(total) : 'Pending'}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        {explain(call, money(reserved))}
      </Text>
    </Paper>
  );
}

function explain(
  { status, answered_at: answeredAt, cost_breakdown: { reserved: amount } }: CallBody,
  reserved: string,
) {
  if (status === 'scheduled') return 'Funds are reserved when the call is due, and its rate is that of then.';
  if (status !== 'ended') return `${reserved} is reserved until the call ends.`;
  if (answeredAt === null && amount === 0) return 'Nothing was reserved, and nothing is charged.';
  if (answeredAt === null) return `Unanswered calls are free. The reserved ${reserved} was released.`;
  return `${reserved} was reserved; the rest was released.`;
}
