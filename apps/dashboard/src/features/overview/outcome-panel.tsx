import {
  getThemeColor,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
  useMantineTheme,
} from '@mantine/core';
import type { TotalsBody } from '@outdial/contracts';
import { lazy, Suspense, useState } from 'react';
import { DataTable } from '../../shared/components/data-table.tsx';
import { formatCount } from '../../shared/format/numbers.ts';
import { countOutcomes, OUTCOMES } from './outcomes.ts';
import classes from './outcome-panel.module.css';

const CHART_HEIGHT = 280;
const OutcomeChart = lazy(() => import('./outcome-chart.tsx'));

interface OutcomePanelProps {
  readonly totals: TotalsBody;
  readonly labelOf: (startsAt: string) => string;
}

/** Calls by outcome, as a chart or a table. */
export function OutcomePanel({ totals, labelOf }: OutcomePanelProps) {
  const [view, setView] = useState('chart');
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-labelledby="outcomes">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="outcomes">
            Calls by outcome
          </Title>
          <SegmentedControl
            aria-label="View"
            size="xs"
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={setView}
          />
        </Group>
        {view === 'table' ? (
          <OutcomeTable totals={totals} labelOf={labelOf} />
        ) : (
          // A screen reader cannot read bars: it gets the summary, and the table has each figure.
          <>
            <div role="img" aria-label={`Bar chart by ${totals.step}: ${summaryOf(totals)}`}>
              <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
                <OutcomeChart steps={totals.steps} labelOf={labelOf} height={CHART_HEIGHT} />
              </Suspense>
            </div>
            <Legend />
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** In the order of the stacked bars, from the bottom. */
function Legend() {
  const theme = useMantineTheme();
  return (
    <Group gap="md" justify="center" aria-hidden>
      {OUTCOMES.map(({ key, label, color }) => (
        <Group key={key} gap={6} wrap="nowrap">
          <span className={classes['swatch']} style={{ background: getThemeColor(color, theme) }} />
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function summaryOf({ steps }: TotalsBody): string {
  const counts = steps.map(({ reasons }) => countOutcomes(reasons));
  return OUTCOMES.map(
    ({ key, label }) => `${label} ${formatCount(counts.reduce((sum, count) => sum + count[key], 0))}`,
  ).join(', ');
}

function OutcomeTable({ totals, labelOf }: OutcomePanelProps) {
  const busy = totals.steps.filter(({ calls }) => calls > 0);
  return (
    <>
      <DataTable
        label="Calls by outcome"
        columns={[totals.step === 'day' ? 'Day' : 'Hour', ...OUTCOMES.map(({ label }) => label), 'Total']}
        minWidth={760}
      >
        {busy.map((step) => {
          const counts = countOutcomes(step.reasons);
          return (
            <Table.Tr key={step.starts_at}>
              <Table.Td>{labelOf(step.starts_at)}</Table.Td>
              {OUTCOMES.map(({ key }) => (
                <Table.Td key={key}>{formatCount(counts[key])}</Table.Td>
              ))}
              <Table.Td fw={550}>{formatCount(step.calls)}</Table.Td>
            </Table.Tr>
          );
        })}
      </DataTable>
      {busy.length < totals.steps.length && (
        <Text size="xs" c="dimmed">
          {totals.step === 'day' ? 'Days' : 'Hours'} without calls are hidden.
        </Text>
      )}
    </>
  );
}
