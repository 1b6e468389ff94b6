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

/** `next`: the path to go to. */
export function useSignIn(next: string) {
  const begin = useBeginSession(next);
  return useMutation({
    mutationFn: (body: Credentials) =>
      request({ method: 'POST', path: '/session', body, answer: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

export function useSignUp(next: string) {
  const begin = useBeginSession(next);
  return useMutation({
    mutationFn: (body: SignUpBody) => request({ method: 'POST', path: '/users', body, answer: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

export function useAcceptInvitation() {
  const begin = useBeginSession('/');
  return useMutation({
    mutationFn: (token: string) =>
      request({ method: 'POST', path: '/invitations/accept', body: { token }, answer: sessionEnvelopeSchema }),
    onSuccess: ({ session }) => begin(session),
  });
}

/** Who invites to which account. Asked once: a link that is not good does not become so. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (
        await request({
          method: 'POST',
          path: '/invitations/read',
          body: { token },
          answer: invitationDetailsEnvelopeSchema,
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
        answer: sessionEnvelopeSchema,
      }),
    onSuccess: ({ session }) => queryClient.setQueryData(sessionQuery.queryKey, session),
  });
}

export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (email: string) =>
      request({ method: 'POST', path: '/password-resets', body: { email }, answer: doneSchema }),
  });
}

export function useCompletePasswordReset() {
  return useMutation({
    mutationFn: (body: { readonly token: string; readonly password: string }) =>
      request({ method: 'POST', path: '/password-resets/complete', body, answer: doneSchema }),
  });
}

/**
 * What was read for whoever was signed in before is forgotten. Navigates exactly once: a second navigation would override
 * a link that the user follows as soon as the page shows it. Replaces the form, so that Back does not lead to it.
 */
function useBeginSession(next: string): (session: SessionBody) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (session) => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, session);
    router.history.replace(next);
  };
}
