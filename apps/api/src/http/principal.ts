import type { IncomingMessage } from 'node:http';
import type { AccountProfile, KeyRecord } from '@outdial/calls';
import type { Role } from '@outdial/contracts';
import type { Session } from '@outdial/identity';

/** On whose behalf an account is used. */
export type Caller =
  | { readonly kind: 'api_key'; readonly key: KeyRecord }
  | { readonly kind: 'session'; readonly session: Session };

/** Whoever uses an account: a program by its key, or a person in the dashboard. */
export interface AccountPrincipal {
  readonly account: AccountProfile;
  readonly caller: Caller;
}

/** A member of the account that the path names. */
export interface MemberPrincipal extends AccountPrincipal, UserPrincipal {
  readonly role: Role;
}

/** Somebody who has signed in. */
export interface UserPrincipal {
  readonly session: Session;
  /** The client's, as far as the proxies in front can be trusted. */
  readonly address: string;
}

/** Nobody knows who. */
export interface Visitor {
  /** The client's, as far as the proxies in front can be trusted. */
  readonly address: string;
  /** Of the cookie that came with the request, whether or not it is good for anything. */
  readonly sessionToken: string | null;
}

/** Who may call a route, and what its handler is given of them. */
export interface Principals {
  readonly api_key: AccountPrincipal;
  readonly anybody: Visitor;
  readonly user: UserPrincipal;
  readonly member: MemberPrincipal;
  readonly owner: MemberPrincipal;
  readonly operator: UserPrincipal;
}
export type Access = keyof Principals;

/** As the server got it; `ip` is Express's reading of the proxies' headers. */
export type Message = IncomingMessage & { readonly ip?: string | undefined };

/** Lets requests in, or throws the `ApiFault` that they are refused with. `params` are those of the path. */
export type Admissions = {
  readonly [Who in Access]: (message: Message, params: unknown) => Promise<Principals[Who]>;
};

/** Where the caller finds the account's routes. */
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

/** Names the caller in the audit: a user by its id. */
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
