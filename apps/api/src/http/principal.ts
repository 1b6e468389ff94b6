import type { IncomingMessage } from 'node:http';
import type { AccountProfile, KeyRecord } from '@outdial/calls';
import type { Role } from '@outdial/contracts';
import type { Session } from '@outdial/identity';

/** A caller of an account's routes. */
export type Caller =
  | { readonly kind: 'api_key'; readonly key: KeyRecord }
  | { readonly kind: 'session'; readonly session: Session };

/** The caller and its account: a program with its key, or a person in the dashboard. */
export interface AccountPrincipal {
  readonly account: AccountProfile;
  readonly caller: Caller;
}

/** A member of the account that the path names. */
export interface MemberPrincipal extends AccountPrincipal, UserPrincipal {
  readonly role: Role;
}

/** A signed-in user. */
export interface UserPrincipal {
  readonly session: Session;
  /** The client's address, as far as the proxies in front are trusted. */
  readonly address: string;
}

/** A visitor who is not identified. */
export interface Visitor {
  /** The client's address, as far as the proxies in front are trusted. */
  readonly address: string;
  /** The session cookie of the request, valid or not. */
  readonly sessionToken: string | null;
}

/** Each kind of access, and the principal that its handler receives. */
export interface Principals {
  readonly api_key: AccountPrincipal;
  readonly anybody: Visitor;
  readonly user: UserPrincipal;
  readonly member: MemberPrincipal;
  readonly owner: MemberPrincipal;
  readonly operator: UserPrincipal;
}
export type Access = keyof Principals;

/** The request as the server received it; `ip` is Express's reading of the proxies' headers. */
export type Message = IncomingMessage & { readonly ip?: string | undefined };

/** Returns the principal of a request, or throws the `ApiError` that rejects it. `params` are those of the path. */
export type AccessChecks = {
  readonly [Who in Access]: (message: Message, params: unknown) => Promise<Principals[Who]>;
};

/** The base path of the account's routes for this caller. */
export function basePathOf({ account, caller }: AccountPrincipal): string {
  switch (caller.kind) {
    case 'api_key':
      return '/api/v1';
    case 'session':
      return `/api/dashboard/accounts/${account.id}`;
    default:
      return caller satisfies never;
  }
}

/** Where an entry of a do-not-call list comes from that this caller makes. */
export function entrySourceOf({ caller }: AccountPrincipal): 'api' | 'dashboard' {
  return caller.kind === 'api_key' ? 'api' : 'dashboard';
}

/** Identifies the caller in the audit log: a user by its id. */
export function actorOf({ caller }: AccountPrincipal): string {
  switch (caller.kind) {
    case 'api_key':
      return `key:${caller.key.id}`;
    case 'session':
      return `user:${caller.session.user.id}`;
    default:
      return caller satisfies never;
  }
}
