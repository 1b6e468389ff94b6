import { Paper, Skeleton, Stack } from '@mantine/core';

/** The outline of a table that is loading. */
export function TableSkeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <Paper withBorder p="md" radius="lg">
      <Stack gap="md">
        <Skeleton h={14} w="30%" />
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} h={22} />
        ))}
      </Stack>
    </Paper>
  );
}

/** The outline of a form or panel that is loading. */
export function PanelSkeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <Paper withBorder p="lg" radius="lg">
      <Stack gap="lg">
        {Array.from({ length: lines }, (_, line) => (
          <Skeleton key={line} h={line === 0 ? 16 : 34} w={line === 0 ? '25%' : '100%'} />
        ))}
      </Stack>
    </Paper>
  );
}
