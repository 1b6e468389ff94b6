import { randomUUID } from 'node:crypto';
import { PASSWORD_LENGTH, type AccountId, type Role } from '@outdial/contracts';
import { newToken, tokenDigest, type UserId } from '@outdial/identity';
import { createUserAdministration, hashPassword } from '@outdial/identity/users';
import type { Database } from '@outdial/persistence';
import { sessionCookie } from '../src/dashboard/cookie.ts';

/** A signed-in user. */
export interface SignedIn {
  readonly userId: UserId;
  readonly email: string;
  readonly password: string;
  /** What a browser on a page of the dashboard sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the session on every process, as a sign-out elsewhere would. */
  readonly end: () => Promise<void>;
}

export interface SignInOptions {
  /** The user's accounts, with the role in each. */
  readonly memberships?: readonly { readonly accountId: AccountId; readonly role: Role }[];
  readonly isOperator?: boolean;
}

export interface SignIns {
  /** Creates a signed-in user. */
  signIn(options?: SignInOptions): Promise<SignedIn>;
}

/** What a browser with this session sends. */
function browserHeaders(token: string): Readonly<Record<string, string>> {
  const [cookie = ''] = sessionCookie(token, 60).split(';');
  return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
}

/** The hash of every user that `signIn` creates: computing it once takes a tenth of a second of CPU. */
const PASSWORD = randomUUID().slice(0, PASSWORD_LENGTH.min + 4);
let passwordHash: Promise<string> | undefined;
const hash = (): Promise<string> => (passwordHash ??= hashPassword(PASSWORD));

export function createSignIns(database: Database): SignIns {
  const users = createUserAdministration(database, { actor: 'test', hash });
  const { side } = database;
  return {
    async signIn({ memberships = [], isOperator = false } = {}) {
      const email = `${randomUUID()}@example.com`;
      const password = PASSWORD;
      const { id: userId } = await users.create({ name: 'Sam', email, password });
      for (const of of memberships) await users.addToAccount({ userId }, of);
      if (isOperator) await users.setOperator({ userId }, true);
      const token = newToken();
      await side.$executeRaw`
        INSERT INTO sessions (id, user_id, token, expires_at)
        VALUES (${randomUUID()}::uuid, ${userId}::uuid, ${tokenDigest(token)}, timezone('utc', now()) + interval '1 day')`;
      return {
        userId,
        email,
        password,
        headers: browserHeaders(token),
        end: async () => void (await side.$executeRaw`DELETE FROM sessions WHERE token = ${tokenDigest(token)}`),
      };
    },
  };
}
