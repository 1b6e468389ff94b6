import { Alert, SimpleGrid, Stack } from '@mantine/core';
import type { OperationsBody } from '@outdial/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCount, formatMoney, formatSpan } from '../../shared/format/numbers.ts';
import { Gauge } from './gauge.tsx';
import { Section } from './section.tsx';
import { problemsOf } from './problems.ts';

/** Used capacity and funds, and whether Redis and Postgres agree. */
export function CapacityPanel({ operations }: { readonly operations: OperationsBody }) {
  const { calls, funds, queue, gate } = operations;
  const problems = problemsOf(operations);
  return (
    <Section title="Calls and funds">
      <Stack gap="sm">
        {problems.map(({ title, text }) => (
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
              gate === null
                ? 'Gate unavailable'
                : `${formatCount(gate.slots_in_use)} ${gate.slots_in_use === 1 ? 'slot' : 'slots'} in use at the gate`
            }
          />
          <Gauge
            label="Queued calls"
            value={formatCount(calls.queued)}
            share={null}
            hint={calls.queued === 0 ? 'No calls waiting' : `Oldest: ${formatSpan(calls.oldest_queued_seconds)}`}
          />
          <Gauge
            label="Queue jobs"
            value={queue === null ? 'Unknown' : formatCount(queue.active)}
            share={null}
            hint={
              queue === null
                ? 'Redis unavailable'
                : `active, ${formatCount(queue.waiting)} waiting, ${formatCount(queue.delayed)} delayed`
            }
          />
          {funds.map(({ currency, held, balance }) => (
            <Gauge
              key={currency}
              label={`Reserved funds (${currency})`}
              value={formatMoney(held, currency)}
              share={balance === 0 ? null : held / balance}
              hint={`of ${formatMoney(balance, currency)} balance of accounts with open calls`}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Section>
  );
}
