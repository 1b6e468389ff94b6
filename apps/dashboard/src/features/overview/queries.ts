import { totalsSchema } from '@outdial/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';
import type { Span } from './span.ts';

const REFRESH_MS = 30_000;

export const totalsQuery = (accountId: string, { from, to, timeZone }: Span) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'totals', from, to, timeZone],
    queryFn: ({ signal }) =>
      request({
        path: `${accountPath(accountId, 'totals')}${queryString({ from, to, time_zone: timeZone })}`,
        schema: totalsSchema,
        signal,
      }),
    refetchInterval: REFRESH_MS,
    // The previous range stays on screen until the new one is loaded.
    placeholderData: keepPreviousData,
  });
