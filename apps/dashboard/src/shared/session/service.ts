import { serviceEnvelopeSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/request.ts';

/** What the installation is like: its version, whether anybody may sign up, its base URL, its test numbers. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: async ({ signal }) => (await request({ path: '/service', answer: serviceEnvelopeSchema, signal })).service,
  staleTime: 5 * 60_000,
});
