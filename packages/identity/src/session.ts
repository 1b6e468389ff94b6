import type { AccountId, Role } from '@outdial/contracts';
import { z } from 'zod';

export const userIdSchema = z.guid('must be a UUID').toLowerCase().brand<'UserId'>();
export type UserId = z.output<typeof userIdSchema>;

/** A person who signs in. */
export interface User {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  /** May see and steer the platform. */
  readonly isOperator: boolean;
  /** The user showed that the address is theirs, or an operator vouched for it. */
  readonly isEmailVerified: boolean;
}

/** What a user may do in an account. Those of disabled accounts are left out. */
export interface Membership {
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly currency: string;
  readonly role: Role;
}

/** That a user has signed in, as it is now. */
export interface Session {
  readonly id: string;
  /** Of the token that its cookie carries, by which it is found. */
  readonly digest: string;
  readonly user: User;
  /** Oldest first. */
  readonly memberships: readonly Membership[];
}

/** Answers who has signed in. */
export interface SessionDirectory {
  /** Null for what never was, has expired, or was ended. */
  findSession(digest: string): Promise<Session | null>;
}
