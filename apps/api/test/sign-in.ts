import { randomUUID } from 'node:crypto';
import type { AccountId, Role } from '@outdial/contracts';
import { newToken, tokenDigest, userIdSchema, type Session, type SessionDirectory } from '@outdial/identity';
import { sessionCookie } from '../src/dashboard/cookie.ts';

/** Somebody who has signed in. */
export interface SignedIn {
  readonly userId: string;
  /** What a browser on a page of the dashboard sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** On every process, as if signed out elsewhere. */
  readonly end: () => void;
}

export interface SignInOptions {
  /** Of which accounts the user is a member, as what. */
  readonly memberships?: readonly { readonly accountId: AccountId; readonly role: Role }[];
  readonly isOperator?: boolean;
}

export interface SignIns {
  /** Makes a user and lets it sign in. */
  signIn(options?: SignInOptions): Promise<SignedIn>;
}

export function createSignIns(): SignIns & { readonly sessions: SessionDirectory } {
  const sessions = new Map<string, Session>();
  return {
    sessions: { findSession: async (digest) => sessions.get(digest) ?? null },
    async signIn({ memberships = [], isOperator = false } = {}) {
      const token = newToken();
      const digest = tokenDigest(token);
      const id = userIdSchema.parse(randomUUID());
      sessions.set(digest, {
        id: randomUUID(),
        digest,
        user: { id, name: 'Sam', email: `${id}@example.com`, isOperator },
        memberships: memberships.map((of) => ({ ...of, accountName: 'Acme', currency: 'USD' })),
      });
      const [cookie = ''] = sessionCookie(token, 60).split(';');
      return {
        userId: id,
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
        end: () => void sessions.delete(digest),
      };
    },
  };
}
