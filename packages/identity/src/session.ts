import type { AccountId, Role } from '@outdial/contracts';
import { z } from 'zod';

export const userIdSchema = z.guid('must be a UUID').toLowerCase().brand<'UserId'>();
export type UserId = z.output<typeof userIdSchema>;

/** A person who signs in. */
export interface User {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  /** May operate the whole installation. */
  readonly isOperator: boolean;
  /** The user opened a link sent to the address, or an operator vouched for it. */
  readonly isEmailVerified: boolean;
}

/** A user's role in an account. Disabled accounts are left out. */
export interface Membership {
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly currency: string;
  readonly role: Role;
}

/** A user's sign-in, with the user's current rights. */
export interface Session {
  readonly id: string;
  /** SHA-256 of the cookie's token; the lookup key. */
  readonly digest: string;
  readonly user: User;
  /** Oldest first. */
  readonly memberships: readonly Membership[];
}

/** Looks up sessions. */
export interface SessionDirectory {
  /** Null for a session that is unknown, expired or ended. */
  findSession(digest: string): Promise<Session | null>;
}
