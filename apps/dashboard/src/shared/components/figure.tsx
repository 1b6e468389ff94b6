import { Paper, Text } from '@mantine/core';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Explains the value in a few words. */
  readonly hint?: string;
  /** The most important figure of its group. */
  readonly isMain?: boolean;
}

/** One large number with its label. */
export function Figure({ label, value, hint, isMain = false }: FigureProps) {
  return (
    <Paper withBorder radius="lg" p="lg" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="tabular" fw={isMain ? 650 : 550} fz={28} lh={1.35}>
        {value}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Paper>
  );
}
