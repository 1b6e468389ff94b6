import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { SpendBody } from '@outdial/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Loaded } from '../../shared/components/loaded.tsx';
import { formatCount, formatMoney } from '../../shared/format/numbers.ts';
import { spendQuery } from './queries.ts';

const CHART_HEIGHT = 220;
const SpendChart = lazy(() => import('./spend-chart.tsx'));

export function SpendPanel({ accountId }: { readonly accountId: string }) {
  const spend = useQuery(spendQuery(accountId));
  return (
    <Loaded query={spend} what="your spend" skeleton={<Skeleton h={CHART_HEIGHT + 90} radius="lg" />}>
      {(data) => <Panel spend={data} />}
    </Loaded>
  );
}

function Panel({ spend }: { readonly spend: SpendBody }) {
  const cost = spend.days.reduce((sum, day) => sum + day.cost, 0);
  const calls = spend.days.reduce((sum, day) => sum + day.calls, 0);
  const summary = `${formatMoney(Number(cost.toFixed(6)), spend.currency)} for ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`;
  return (
    <Paper withBorder radius="lg" p="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            Spend in the last 30 days
          </Title>
          <Text size="sm" c="dimmed" className="tabular">
            {summary}
          </Text>
        </Group>
        {calls === 0 ? (
          <Text c="dimmed" size="sm" py="xl" ta="center">
            No calls ended in the last 30 days.
          </Text>
        ) : (
          // A screen reader cannot read bars: it gets the sum, and the ledger below has each charge.
          <div role="img" aria-label={`Bar chart by day: ${summary}`}>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
              <SpendChart spend={spend} height={CHART_HEIGHT} />
            </Suspense>
          </div>
        )}
      </Stack>
    </Paper>
  );
}
