import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What the query loads, for the error notice: `API keys`. */
  readonly what: string;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query's data, its skeleton while it loads, or its error. Stale data stays on screen. */
export function Loaded<Data>({ query, what, skeleton, children }: LoadedProps<Data>) {
  const { data, error, isError, refetch } = query;
  const notice = isError && (
    <ErrorNotice title={`Could not load ${what}`} error={error} onRetry={() => void refetch()} />
  );
  if (data === undefined) return notice || <div aria-busy="true">{skeleton}</div>;
  return (
    <Stack gap="lg">
      {notice}
      {children(data)}
    </Stack>
  );
}
