import type { ErrorCode, KeyScope } from '@outdial/contracts';
import type { z } from 'zod';
import type { ApiErrorCode } from './api-error.ts';
import type { Access, AccountPrincipal, AccessChecks, Principals } from './principal.ts';
import { requireScope } from './require-scope.ts';
import type { RouteDocs } from './route-docs.ts';
import {
  preparing,
  type CompleteBody,
  type Handler,
  type Prepare,
  type RawRequest,
  type RequestContract,
  type ResponseSchemas,
  type Work,
} from './route-request.ts';

export { NO_BODY, NO_PARAMS, NO_QUERY } from './route-request.ts';

/** What every route declares. `errors` are those beyond the ones that any route may return. */
interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Responses extends ResponseSchemas = ResponseSchemas,
> extends RequestContract<Params, Query, Body> {
  readonly path: `/${string}`;
  readonly responses: Responses;
  readonly errors: readonly ApiErrorCode[];
}

/** A route of the public interface. Callers use an API key; members of an account use a session. */
export interface RouteContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Responses extends ResponseSchemas = ResponseSchemas,
> extends Contract<Params, Query, Body, Responses> {
  readonly path: `/api/v1/${string}`;
  /** What the caller's key must be allowed. In the dashboard, `manage` is for owners, unless `isForMembers`. */
  readonly scope: KeyScope;
  readonly isForMembers?: true;
  readonly errors: readonly ErrorCode[];
  readonly docs: RouteDocs;
}

/** A route of the dashboard alone. For a member or an owner, the path names the account as `:account_id`. */
export interface DashboardContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Responses extends ResponseSchemas = ResponseSchemas,
  Who extends Access = Access,
> extends Contract<Params, Query, Body, Responses> {
  readonly path: `/api/dashboard/${string}`;
  readonly access: Who;
}

/** A route and its admission. */
export interface Route {
  readonly contract: Contract;
  readonly access: Access;
  /** The handler itself answers truthfully when a store does not answer in time, so nothing may cut it short. */
  readonly keepsDeadline: boolean;
  /**
   * Checks the access of the sender and returns the function that prepares the work. @throws ApiError if the sender may not call the
   * route
   */
  readonly checkAccess: (accessChecks: AccessChecks, raw: RawRequest) => Promise<() => Promise<Work>>;
}

/** A route of the public interface. Its handler serves every caller that may use the account. */
export interface AccountRoute extends Route {
  readonly contract: RouteContract;
  readonly prepare: Prepare<AccountPrincipal>;
}

export function defineContract<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  const Responses extends ResponseSchemas,
>(contract: RouteContract<Params, Query, Body, Responses>): RouteContract<Params, Query, Body, Responses> {
  return contract;
}

export function defineDashboardContract<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  const Responses extends ResponseSchemas,
  Who extends Access,
>(contract: DashboardContract<Params, Query, Body, Responses, Who>): typeof contract {
  return contract;
}

/** Joins a contract and its handler. The handler receives what the contract's schemas parsed. */
export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
>(
  contract: RouteContract<Params, Query, Body, Responses>,
  handle: Handler<AccountPrincipal, Params, Query, Body, Responses>,
  {
    keepsDeadline = false,
    completeBody,
  }: {
    readonly keepsDeadline?: boolean;
    readonly completeBody?: CompleteBody<AccountPrincipal, Params, Query, Body>;
  } = {},
): AccountRoute {
  const prepare = preparing(contract, handle, completeBody);
  const withScope: typeof prepare = async (raw, principal) => {
    requireScope(principal, contract.scope);
    return prepare(raw, principal);
  };
  return { contract, keepsDeadline, prepare, ...checkingAccess('api_key', withScope) };
}

/** The same for a route of the dashboard; `principal` is what its `access` promises. */
export function defineDashboardRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
  Who extends Access,
>(
  contract: DashboardContract<Params, Query, Body, Responses, Who>,
  handle: Handler<Principals[Who], Params, Query, Body, Responses>,
  { keepsDeadline = false } = {},
): Route {
  return { contract, keepsDeadline, ...checkingAccess(contract.access, preparing(contract, handle)) };
}

const PUBLIC = '/api/v1/';

/**
 * The public route a second time, with a session instead of the key and the account in its path. Members may do what
 * keys are usually for; the rest is for owners.
 */
export function onAccount(route: AccountRoute): Route {
  const { contract, keepsDeadline, prepare } = route;
  const path = `/api/dashboard/accounts/:account_id/${contract.path.slice(PUBLIC.length)}` as const;
  const access = contract.scope === 'manage' && contract.isForMembers !== true ? 'owner' : 'member';
  return { contract: { ...contract, path }, keepsDeadline, ...checkingAccess(access, prepare) };
}

function checkingAccess<Who extends Access>(
  access: Who,
  prepare: Prepare<Principals[Who]>,
): Pick<Route, 'access' | 'checkAccess'> {
  return {
    access,
    async checkAccess(accessChecks, raw) {
      const principal = await accessChecks[access](raw.message, raw.params);
      return () => prepare(raw, principal);
    },
  };
}
