import { deckListSchema, importedDeckSchema, rateListSchema } from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryString, request } from '../../../shared/api/request.ts';

const RATES = ['operated-rates'] as const;

export const decksQuery = queryOptions({
  queryKey: [...RATES, 'decks'],
  queryFn: async ({ signal }) =>
    (await request({ path: '/operations/rate-decks', schema: deckListSchema, signal })).decks,
});

const pathOf = (currency: string) => `/operations/rate-decks/${encodeURIComponent(currency)}`;

/** By prefix, page by page. */
export const ratesQuery = (currency: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...RATES, currency, search],
    queryFn: ({ signal, pageParam }) =>
      request({
        path: `${pathOf(currency)}/rates${queryString({ search, after: pageParam, limit: 100 })}`,
        schema: rateListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after,
    placeholderData: (before) => before,
  });

export function useImportRates() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ currency, file }: { readonly currency: string; readonly file: File }) =>
      request({
        method: 'POST',
        path: `${pathOf(currency)}/import`,
        file: { content: file, mediaType: 'text/csv' },
        schema: importedDeckSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: RATES }),
  });
}
