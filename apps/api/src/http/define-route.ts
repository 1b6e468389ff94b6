import { invalidParams, type ErrorCode, type KeyScope } from '@outdial/contracts';
import { z } from 'zod';
import { invalidRequest, type ApiErrorCode } from './api-error.ts';
import { fileReaderOf } from './file-body.ts';

import { readJsonBody } from './json-body.ts';
import type { Access, AccountPrincipal, AccessChecks, Message, Principals } from './principal.ts';
import { readQuery } from './query.ts';
import type { JsonReply, Reply, StreamReply } from './reply.ts';
import { requireScope } from './require-scope.ts';
import type { RouteDocs } from './route-docs.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What every route declares. `errors` are those beyond the ones that any route may return. */
interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Responses extends ResponseSchemas = ResponseSchemas,
> {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The largest JSON body. Default: 64 KiB. */
  readonly maxBodyBytes?: number;
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

export type ResponseSchemas = Readonly<Partial<Record<200 | 201 | 202, z.ZodType>>>;

export const NO_PARAMS = z.unknown();
export const NO_QUERY = z.unknown();
export const NO_BODY = z.undefined();

/** A validated request of a sender with access. */
export interface RouteRequest<Principal, Params, Query, Body> {
  readonly principal: Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** As sent: HEAD is served by the route of GET. */
  readonly method: string;
  /** Alternating names and values; `headerOf` reads them. */
  readonly rawHeaders: readonly string[];
  readonly requestId: string;
  /** The deadline of the answer, on the monotonic clock. */
  readonly deadlineMs: number;
}

type StatusOf<Responses> = Extract<keyof Responses, number>;
type ReplyOf<Responses extends ResponseSchemas> =
  | { [Status in StatusOf<Responses>]: JsonReply<Status, BodyOf<Responses[Status]>> }[StatusOf<Responses>]
  | StreamReply;
type BodyOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** A request as it arrived. */
export interface RawRequest {
  readonly message: Message;
  readonly params: unknown;
  readonly requestId: string;
}

/** Does the work, by its deadline. */
type Work = (deadlineMs: number) => Promise<Reply>;
/** Waits for the body, validates everything, and returns the function that does the work. @throws ApiError */
type Prepare<Principal> = (raw: RawRequest, principal: Principal) => Promise<Work>;

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
  { keepsDeadline = false } = {},
): AccountRoute {
  const prepare = preparing(contract, handle);
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

type Handler<
  Principal,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
> = (
  request: RouteRequest<Principal, z.output<Params>, z.output<Query>, z.output<Body>>,
) => Promise<ReplyOf<Responses>>;

function preparing<
  Principal,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
>(
  contract: Contract<Params, Query, Body, Responses>,
  handle: Handler<Principal, Params, Query, Body, Responses>,
): Prepare<Principal> {
  const hasQuery = !isSame(contract.query, NO_QUERY);
  const hasBody = !isSame(contract.body, NO_BODY);
  const { maxBodyBytes } = contract;
  const readBody = fileReaderOf(contract.body) ?? ((message: Message) => readJsonBody(message, maxBodyBytes));
  return async ({ message, params, requestId }, principal) => {
    const valid = {
      principal,
      params: parse(contract.params, params),
      query: parse(contract.query, hasQuery ? readQuery(message.url ?? '') : undefined),
      body: parse(contract.body, hasBody ? await readBody(message) : undefined),
      method: message.method ?? contract.method,
      rawHeaders: message.rawHeaders,
      requestId,
    };
    return (deadlineMs) => handle({ ...valid, deadlineMs });
  };
}

function isSame(left: z.ZodType, right: z.ZodType): boolean {
  return left === right;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(invalidParams(result.error, value));
}
