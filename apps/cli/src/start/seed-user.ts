import type { AccountId } from '@outdial/contracts';
import { CodedError } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import { createUserAdministration, newPassword, type UserAdministration } from '@outdial/identity/users';
import type { StoredDemo } from '../instance/demo-file.ts';

export interface SeededUser {
  readonly email: string;
  /** Null: another one than ours was set since, which its user knows. */
  readonly password: string | null;
  /** Made now: nobody has seen it yet. */
  readonly isNewPassword: boolean;
}

const EMAIL = 'demo@outdial.local';

/**
 * Makes the user that signs in to the demo, an owner of its account and an operator, or finds it again. A password that
 * was lost with demo.json is replaced; one that was changed in the dashboard stays.
 */
export async function seedUser(
  database: Database,
  accountId: AccountId,
  stored: StoredDemo | undefined,
): Promise<SeededUser> {
  const users = createUserAdministration(database, { actor: 'npm start' });
  const found = await findUser(users);
  // Made by a version that did not verify addresses: its owner could not invite anybody.
  if (found?.emailVerifiedAtMs === null) await users.verifyEmail(EMAIL);
  const kept = stored?.password;
  if (found && kept !== undefined) {
    const isKept = kept !== null && (await users.hasPassword(EMAIL, kept));
    return { email: EMAIL, password: isKept ? kept : null, isNewPassword: false };
  }
  const password = newPassword();
  if (found) await users.setPassword(EMAIL, password);
  else await users.create({ name: 'Demo', email: EMAIL, password });
  if (!found || found.memberships.length === 0) {
    await users.verifyEmail(EMAIL);
    await users.setOperator({ email: EMAIL }, true);
    await users.addToAccount({ email: EMAIL }, { accountId, role: 'owner' });
  }
  return { email: EMAIL, password, isNewPassword: true };
}

async function findUser(users: UserAdministration) {
  try {
    return await users.show(EMAIL);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'user_not_found') return null;
    throw error;
  }
}
