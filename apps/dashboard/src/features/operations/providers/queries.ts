import { operatedProvidersSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../shared/api/request.ts';

/** While the page is visible. */
const REFRESH_MS = 5_000;

export const providersQuery = queryOptions({
  queryKey: ['operated-providers'],
  queryFn: ({ signal }) => request({ path: '/operations/providers', schema: operatedProvidersSchema, signal }),
  refetchInterval: REFRESH_MS,
});
