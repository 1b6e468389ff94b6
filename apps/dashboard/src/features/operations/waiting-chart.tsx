import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
// Styles of the legend.
import '@mantine/core/styles/ColorSwatch.css';
import type { OperationsBody } from '@outdial/contracts';
import { formatWait, pointsOf } from './waiting.ts';

interface WaitingChartProps {
  readonly waiting: OperationsBody['waiting'];
  readonly height: number;
}

/** Loaded when first shown: the chart library is larger than the rest of the page. */
export default function WaitingChart({ waiting, height }: WaitingChartProps) {
  return (
    <LineChart
      h={height}
      data={pointsOf(waiting).map((point) => ({ ...point }))}
      dataKey="minute"
      series={[
        { name: 'p50', color: 'iris.5' },
        { name: 'p95', color: 'orange.6' },
      ]}
      valueFormatter={formatWait}
      connectNulls={false}
      withLegend
      withDots={waiting.length < 30}
      tickLine="none"
      xAxisProps={{ minTickGap: 32 }}
      yAxisProps={{ width: 72 }}
    />
  );
}
