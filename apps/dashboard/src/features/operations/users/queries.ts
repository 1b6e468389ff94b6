import { operatedUserEnvelopeSchema, operatedUserListSchema } from '@outdial/contracts';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryString, request } from '../../../shared/api/request.ts';

const OPERATED_USERS = ['operated-users'] as const;

/** Newest first, page by page. */
export const operatedUsersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...OPERATED_USERS, search],
    queryFn: ({ signal, pageParam }) =>
      request({
        path: `/operations/users${queryString({ search, after: pageParam })}`,
        schema: operatedUserListSchema,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after,
    placeholderData: (before) => before,
  });

export type UserChange =
  | { readonly kind: 'operator'; readonly id: string; readonly isOperator: boolean }
  | { readonly kind: 'enable'; readonly id: string; readonly enabled: boolean }
  | { readonly kind: 'end_sessions'; readonly id: string };

export function useChangeUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: UserChange) => request({ ...requestOf(change), schema: operatedUserEnvelopeSchema }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: OPERATED_USERS }),
  });
}

function requestOf(change: UserChange) {
  const path = `/operations/users/${encodeURIComponent(change.id)}`;
  switch (change.kind) {
    case 'operator':
      return { method: 'PUT', path: `${path}/operator`, body: { is_operator: change.isOperator } } as const;
    case 'enable':
      return { method: 'PUT', path: `${path}/enabled`, body: { enabled: change.enabled } } as const;
    case 'end_sessions':
      return { method: 'DELETE', path: `${path}/sessions` } as const;
    default:
      return change satisfies never;
  }
}
