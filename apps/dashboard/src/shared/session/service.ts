import { serviceEnvelopeSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/** Facts about the installation: version, base URL, test numbers, and whether sign-up is open. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: async ({ signal }) => (await request({ path: '/service', schema: serviceEnvelopeSchema, signal })).service,
  staleTime: 5 * 60_000,
});
