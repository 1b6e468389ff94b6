import {
  createdInvitationSchema,
  doneSchema,
  memberEnvelopeSchema,
  memberListSchema,
  type Role,
} from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';
import { sessionQuery } from '../../shared/session/session.ts';

export const membersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'members'],
    queryFn: ({ signal }) => request({ path: accountPath(accountId, 'members'), schema: memberListSchema, signal }),
  });

export function useInvite(accountId: string) {
  const refresh = useRefresh(accountId);
  return useMutation({
    mutationFn: (body: { readonly email: string; readonly role: Role }) =>
      request({ method: 'POST', path: accountPath(accountId, 'invitations'), body, schema: createdInvitationSchema }),
    onSuccess: refresh,
  });
}

export function useWithdrawInvitation(accountId: string) {
  const refresh = useRefresh(accountId);
  return useMutation({
    mutationFn: (invitationId: string) =>
      request({ method: 'DELETE', path: accountPath(accountId, 'invitations', invitationId), schema: doneSchema }),
    onSuccess: refresh,
  });
}

export function useChangeRole(accountId: string) {
  const refresh = useRefresh(accountId);
  return useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: Role }) =>
      request({
        method: 'PATCH',
        path: accountPath(accountId, 'members', userId),
        body: { role },
        schema: memberEnvelopeSchema,
      }),
    onSettled: refresh,
  });
}

const remove = (accountId: string, userId: string) =>
  request({ method: 'DELETE', path: accountPath(accountId, 'members', userId), schema: doneSchema });

export function useRemoveMember(accountId: string) {
  const refresh = useRefresh(accountId);
  return useMutation({ mutationFn: (userId: string) => remove(accountId, userId), onSuccess: refresh });
}

/** `goAway` navigates to a page outside the account. */
export function useLeaveAccount(accountId: string, goAway: () => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) => remove(accountId, userId),
    onSuccess: async () => {
      // Navigate first: requests of the account's pages would now fail as not found.
      await goAway();
      queryClient.removeQueries({ queryKey: accountKey(accountId) });
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}

/** Refreshes the session too: the user may have changed their own role. */
function useRefresh(accountId: string) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: membersQuery(accountId).queryKey }),
      queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
}
