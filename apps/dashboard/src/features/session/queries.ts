import {
  doneSchema,
  invitationDetailsEnvelopeSchema,
  sessionEnvelopeSchema,
  type SessionBody,
  type SignUpBody,
} from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { request } from '../../shared/api/request.ts';
import { sessionQuery } from '../../shared/session/session.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** `next`: the path to open afterwards. */
export function useSignIn(next: string) {
  const begin = useBeginSession(next);
  return useMutation({
    mutationFn: (body: Credentials) =>
      request({ method: 'POST', path: '/session', body, schema: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

export function useSignUp(next: string) {
  const begin = useBeginSession(next);
  return useMutation({
    mutationFn: (body: SignUpBody) => request({ method: 'POST', path: '/users', body, schema: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

export function useAcceptInvitation() {
  const begin = useBeginSession('/');
  return useMutation({
    mutationFn: (token: string) =>
      request({ method: 'POST', path: '/invitations/accept', body: { token }, schema: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

/** The account, inviter and role of an invitation. No retries: an invalid link stays invalid. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (
        await request({
          method: 'POST',
          path: '/invitations/read',
          body: { token },
          schema: invitationDetailsEnvelopeSchema,
          signal,
        })
      ).invitation,
    retry: false,
    staleTime: Infinity,
  });

export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) =>
      request({
        method: 'POST',
        path: '/email-verifications/complete',
        body: { token },
        schema: sessionEnvelopeSchema,
      }),
    onSuccess: ({ session }) => queryClient.setQueryData(sessionQuery.queryKey, session),
  });
}

export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (email: string) =>
      request({ method: 'POST', path: '/password-resets', body: { email }, schema: doneSchema }),
  });
}

export function useCompletePasswordReset() {
  return useMutation({
    mutationFn: (body: { readonly token: string; readonly password: string }) =>
      request({ method: 'POST', path: '/password-resets/complete', body, schema: doneSchema }),
  });
}

/**
 * Clears the data of the previous user before the new session starts. Navigates exactly once: a second navigation would
 * override a link that the user follows as soon as the page shows it. Replaces the form, so that Back does not return to it.
 */
function useBeginSession(next: string): (session: SessionBody) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (session) => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, session);
    // If the layout were still loading after the router's patience, its links would show only with the page inside it.
    // The router reports a failed download when it navigates.
    await router.loadRouteChunk(router.routesById['/signed-in'])?.catch(() => undefined);
    router.history.replace(next);
  };
}
