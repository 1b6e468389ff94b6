import { Paper, Progress, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.css';

interface GaugeProps {
  readonly label: string;
  readonly value: string;
  /** 0 to 1. Null: there is no limit. */
  readonly share: number | null;
  readonly hint: string;
}

const NEARLY_FULL = 0.9;

/** How much of a limit is used. */
export function Gauge({ label, value, share, hint }: GaugeProps) {
  const percent = share === null ? 0 : Math.min(100, Math.round(share * 100));
  const isNearlyFull = share !== null && share >= NEARLY_FULL;
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="tabular" fw={550} fz={22} lh={1.45}>
        {value}
      </Text>
      {share !== null && (
        <Progress.Root size="sm" radius="xl" my={6}>
          <Progress.Section
            value={percent}
            color={isNearlyFull ? 'orange' : 'iris'}
            aria-label={`${label}: ${percent}% of the limit`}
          />
        </Progress.Root>
      )}
      <Text size="xs" c="dimmed">
        {isNearlyFull ? `Nearly at the limit. ${hint}` : hint}
      </Text>
    </Paper>
  );
}
