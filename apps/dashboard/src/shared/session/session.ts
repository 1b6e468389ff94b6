import { sessionEnvelopeSchema, type Membership, type SessionBody } from '@outdial/contracts';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { request } from '../api/request.ts';

/** The user's session. Null: signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SessionBody | null> => {
    try {
      return (await request({ path: '/session', schema: sessionEnvelopeSchema, signal })).session;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_signed_in') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Only below the signed-in routes. */
export function useSession(): SessionBody {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new SignedOut();
  return data;
}

/** The session ended while the page was open. */
export class SignedOut extends Error {}

export function membershipOf(session: SessionBody, accountId: string): Membership | undefined {
  return session.memberships.find((membership) => membership.account_id === accountId);
}
