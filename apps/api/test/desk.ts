import type { AccountId, Role } from '@outdial/contracts';
import type { Answer, ApiClient, RequestOptions } from './client.ts';
import type { SignedIn, SignIns } from './sign-in.ts';

/** A signed-in user, in one of their accounts. */
export interface Desk extends SignedIn {
  /** Paths below the account's. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** Signs in a user who is a member of the account. */
export async function openDesk(api: ApiClient & SignIns, accountId: AccountId, role: Role = 'owner'): Promise<Desk> {
  const signedIn = await api.signIn({ memberships: [{ accountId, role }] });
  return {
    ...signedIn,
    request: (method, path, options = {}) =>
      api.request(method, `//api/dashboard/accounts/${accountId}/${path}`, {
        ...options,
        headers: { ...signedIn.headers, ...options.headers },
      }),
  };
}
