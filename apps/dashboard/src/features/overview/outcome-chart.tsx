import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { TotalsBody } from '@outdial/contracts';
import { formatCount } from '../../shared/format/numbers.ts';
import { countOutcomes, OUTCOMES } from './outcomes.ts';

interface OutcomeChartProps {
  readonly steps: TotalsBody['steps'];
  readonly labelOf: (startsAt: string) => string;
  readonly height: number;
}

/** Loaded when first shown: the chart library is larger than the rest of the page. */
export default function OutcomeChart({ steps, labelOf, height }: OutcomeChartProps) {
  const data = steps.map((step) => ({ at: labelOf(step.starts_at), ...countOutcomes(step.reasons) }));
  return (
    <BarChart
      h={height}
      type="stacked"
      data={data}
      dataKey="at"
      series={OUTCOMES.map(({ key, label, color }) => ({ name: key, label, color }))}
      valueFormatter={formatCount}
      tickLine="none"
      maxBarWidth={26}
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ width: 44, allowDecimals: false }}
    />
  );
}
