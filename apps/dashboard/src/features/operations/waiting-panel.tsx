import { Paper, Skeleton, Text } from '@mantine/core';
import type { OperationsBody } from '@outdial/contracts';
import { lazy, Suspense } from 'react';
import { Section } from './section.tsx';
import { formatWait, worstWaitMs } from './waiting.ts';

const CHART_HEIGHT = 220;
const WaitingChart = lazy(() => import('./waiting-chart.tsx'));

export function WaitingPanel({ waiting }: { readonly waiting: OperationsBody['waiting'] }) {
  const worstMs = worstWaitMs(waiting);
  return (
    <Section title="Wait time" hint="From acceptance to dialing, by the minute of acceptance.">
      <Paper withBorder radius="lg" p="lg">
        {worstMs === null ? (
          <Text c="dimmed" size="sm" py="lg" ta="center">
            No calls were dialed in the last hour.
          </Text>
        ) : (
          <div role="img" aria-label={`Line chart of the last hour: highest p95 ${formatWait(worstMs)}`}>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
              <WaitingChart waiting={waiting} height={CHART_HEIGHT} />
            </Suspense>
          </div>
        )}
      </Paper>
    </Section>
  );
}
