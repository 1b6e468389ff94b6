import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { SpendBody } from '@outdial/contracts';
import { formatMoney } from '../../shared/format/numbers.ts';

interface SpendChartProps {
  readonly spend: SpendBody;
  readonly height: number;
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Loaded when first shown: the chart library is larger than the rest of the page. */
export default function SpendChart({ spend, height }: SpendChartProps) {
  const data = spend.days.map(({ date, cost, calls }) => ({ day: days.format(new Date(date)), Spend: cost, calls }));
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="day"
      series={[{ name: 'Spend', color: 'iris.5' }]}
      valueFormatter={(value) => formatMoney(value, spend.currency)}
      tickLine="none"
      maxBarWidth={22}
      barProps={{ radius: [4, 4, 0, 0] }}
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ width: 72 }}
    />
  );
}
