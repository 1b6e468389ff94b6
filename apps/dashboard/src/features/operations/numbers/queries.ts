import { doneSchema, operatedNumberListSchema } from '@outdial/contracts';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryString, request } from '../../../shared/api/request.ts';

const OPERATED_NUMBERS = ['operated-numbers'] as const;

export interface NumberSearch {
  readonly search: string;
  /** Only numbers of this account. */
  readonly accountId?: string;
}

/** By number, page by page. */
export const operatedNumbersQuery = ({ search, accountId }: NumberSearch) =>
  infiniteQueryOptions({
    queryKey: [...OPERATED_NUMBERS, search, accountId ?? null],
    queryFn: ({ signal, pageParam }) =>
      request({
        path: `/operations/numbers${queryString({ search, account_id: accountId, after: pageParam })}`,
        schema: operatedNumberListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after,
    placeholderData: (before) => before,
  });

export type NumberChange =
  | { readonly kind: 'add'; readonly number: string; readonly accountId: string | null }
  | { readonly kind: 'assign'; readonly id: string; readonly accountId: string | null }
  | { readonly kind: 'outbound'; readonly id: string; readonly enabled: boolean }
  | { readonly kind: 'system_default'; readonly id: string };

export function useChangeNumber() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: NumberChange) => request({ ...requestOf(change), schema: doneSchema }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: OPERATED_NUMBERS }),
  });
}

function requestOf(change: NumberChange) {
  switch (change.kind) {
    case 'add': {
      const body = { number: change.number, account_id: change.accountId };
      return { method: 'POST', path: '/operations/numbers', body } as const;
    }
    case 'assign':
      return { method: 'PUT', path: `${pathOf(change.id)}/account`, body: { account_id: change.accountId } } as const;
    case 'outbound':
      return { method: 'PUT', path: `${pathOf(change.id)}/outbound`, body: { enabled: change.enabled } } as const;
    case 'system_default':
      return { method: 'PUT', path: '/operations/system-number', body: { number_id: change.id } } as const;
    default:
      return change satisfies never;
  }
}

const pathOf = (id: string) => `/operations/numbers/${encodeURIComponent(id)}`;
