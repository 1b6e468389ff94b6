import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
// The legend's.
import '@mantine/core/styles/ColorSwatch.css';
import type { OperationsBody } from '@outdial/contracts';
import { formatWait, pointsOf } from './waiting.ts';

interface WaitingChartProps {
  readonly waiting: OperationsBody['waiting'];
  readonly height: number;
}

/** Loaded when it is first shown: the library of charts is larger than the rest of the page. */
export default function WaitingChart({ waiting, height }: WaitingChartProps) {
  return (
    <LineChart
      h={height}
      data={pointsOf(waiting).map((point) => ({ ...point }))}
      dataKey="minute"
      series={[
        { name: 'Half', label: 'Half of the calls', color: 'iris.5' },
        { name: 'Nineteen of twenty', label: '95 of 100 calls', color: 'orange.6' },
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
