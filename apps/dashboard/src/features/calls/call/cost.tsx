import { Paper, Table, Text, Title } from '@mantine/core';
import type { CallBody } from '@outdial/contracts';
import { formatMoney, formatSpan } from '../../../shared/format/numbers.ts';

type Item = CallBody['cost_breakdown']['items'][number];

const PRODUCTS: Readonly<Record<Item['product'], string>> = {
  connection: 'Connection',
  talk_time: 'Talk time',
  adjustment: 'Capped at the reserved amount',
};

/** The call's cost and its breakdown. */
export function Cost({ call }: { readonly call: CallBody }) {
  const { items, total, reserved } = call.cost_breakdown;
  const money = (amount: number) => formatMoney(amount, call.currency);
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="cost">
      <Title order={2} size="h4" id="cost" mb="sm">
        Cost
      </Title>
      <Table aria-label="Cost" horizontalSpacing={0} withRowBorders={false}>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.product}>
              <Table.Th scope="row" fw={400}>
                {PRODUCTS[item.product]}
                <Text size="xs" c="dimmed" span display="block">
                  {quantityOf(item, money)}
                </Text>
              </Table.Th>
              <Table.Td ta="right">{money(item.cost)}</Table.Td>
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

function quantityOf({ product, quantity, unit_price: price }: Item, money: (amount: number) => string): string {
  switch (product) {
    case 'connection':
      return `${quantity} × ${money(price)}`;
    case 'talk_time':
      return `${formatSpan(quantity * 60)} at ${money(price)} per minute`;
    case 'adjustment':
      return 'A call never costs more than was reserved for it';
    default:
      return product satisfies never;
  }
}

function explain({ status, answered_at: answeredAt }: CallBody, reserved: string): string {
  if (status !== 'ended') return `${reserved} is reserved until the call ends.`;
  if (answeredAt === null) return `Unanswered calls are free. The reserved ${reserved} was released.`;
  return `${reserved} was reserved; the rest was released.`;
}
