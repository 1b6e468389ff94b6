import { Alert, SimpleGrid, Stack } from '@mantine/core';
import type { OperationsBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCount, formatMoney, formatSpan } from '../../shared/format/numbers.ts';
import { Gauge } from './gauge.tsx';
import { Section } from './section.tsx';
import { troublesOf } from './troubles.ts';

/** What is used of what there is, and whether both stores agree. */
export function CapacityPanel({ operations }: { readonly operations: OperationsBody }) {
  const { calls, funds, queue, gate } = operations;
  const troubles = troublesOf(operations);
  return (
    <Section title="Calls and funds">
      <Stack gap="sm">
        {troubles.map(({ title, text }) => (
          <Alert key={title} color="orange" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />}>
            {text}
          </Alert>
        ))}
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <Gauge
            label="Open calls"
            value={`${formatCount(calls.open)} of ${formatCount(calls.limit)}`}
            share={calls.limit === 0 ? null : calls.open / calls.limit}
            hint={
              gate === null ? 'The gate cannot be read' : `${formatCount(gate.slots_in_use)} slots held by the gate`
            }
          />
          <Gauge
            label="Waiting to be dialled"
            value={formatCount(calls.queued)}
            share={null}
            hint={calls.queued === 0 ? 'None' : `The oldest for ${formatSpan(calls.oldest_queued_seconds)}`}
          />
          <Gauge
            label="Queue"
            value={queue === null ? 'Not known' : formatCount(queue.active)}
            share={null}
            hint={
              queue === null
                ? 'Redis cannot be read'
                : `jobs at work, ${formatCount(queue.waiting)} waiting, ${formatCount(queue.delayed)} put off`
            }
          />
          {funds.map(({ currency, held, balance }) => (
            <Gauge
              key={currency}
              label={`Funds held in ${currency}`}
              value={formatMoney(held, currency)}
              share={balance === 0 ? null : held / balance}
              hint={`of ${formatMoney(balance, currency)} of the accounts that have calls open`}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Section>
  );
}
