import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '@outdial/contracts';
import { z } from 'zod';
import type { Principal } from './authenticate.ts';
import { invalidRequest } from './fault.ts';
import { invalidParams } from './invalid-params.ts';
import { readJsonBody } from './json-body.ts';
import { readQuery } from './query.ts';
import type { JsonReply, Reply, StreamReply } from './reply.ts';
import type { RouteDocs } from './route-docs.ts';

type Method = 'GET' | 'POST' | 'PATCH';

/** What a route promises. `errors` are those beside the ones that every route may answer. */
export interface RouteContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Responses extends ResponseSchemas = ResponseSchemas,
> {
  readonly method: Method;
  readonly path: `/api/v1/${string}`;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly responses: Responses;
  readonly errors: readonly ErrorCode[];
  readonly docs: RouteDocs;
}

export type ResponseSchemas = Readonly<Partial<Record<200 | 201 | 202, z.ZodType>>>;

export const NO_PARAMS = z.unknown();
export const NO_QUERY = z.unknown();
export const NO_BODY = z.undefined();

/** A request that is authenticated and valid. */
export interface RouteRequest<Params, Query, Body> {
  readonly principal: Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** As sent: HEAD comes to the route of GET. */
  readonly method: string;
  /** Names and values in turn; `headerOf` reads them. */
  readonly rawHeaders: readonly string[];
  readonly requestId: string;
  /** When the answer is due, by the monotonic clock. */
  readonly deadlineMs: number;
}

type StatusOf<Responses> = Extract<keyof Responses, number>;
type ReplyOf<Responses extends ResponseSchemas> =
  | { [Status in StatusOf<Responses>]: JsonReply<Status, BodyOf<Responses[Status]>> }[StatusOf<Responses>]
  | StreamReply;
type BodyOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** A request as it came, once its sender is known. */
interface RawRequest {
  readonly message: IncomingMessage;
  readonly params: unknown;
  readonly principal: Principal;
  readonly requestId: string;
}

export interface Route {
  readonly contract: RouteContract;
  /** The handler says by itself what is true when a store does not answer in time; nobody may cut it short. */
  readonly keepsDeadline: boolean;
  /** Waits for the body and validates everything; what it gives back does the work. @throws ApiFault */
  readonly prepare: (raw: RawRequest) => Promise<(deadlineMs: number) => Promise<Reply>>;
}

export function defineContract<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  const Responses extends ResponseSchemas,
>(contract: RouteContract<Params, Query, Body, Responses>): RouteContract<Params, Query, Body, Responses> {
  return contract;
}

/** Joins a contract and its handler: the handler gets what the contract's schemas made of the request. */
export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
>(
  contract: RouteContract<Params, Query, Body, Responses>,
  handle: (request: RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<ReplyOf<Responses>>,
  { keepsDeadline = false } = {},
): Route {
  const hasQuery = !isSame(contract.query, NO_QUERY);
  const hasBody = !isSame(contract.body, NO_BODY);
  return {
    contract,
    keepsDeadline,
    async prepare({ message, params, principal, requestId }) {
      const valid = {
        principal,
        params: parse(contract.params, params),
        query: parse(contract.query, hasQuery ? readQuery(message.url ?? '') : undefined),
        body: parse(contract.body, hasBody ? await readJsonBody(message) : undefined),
        method: message.method ?? contract.method,
        rawHeaders: message.rawHeaders,
        requestId,
      };
      return (deadlineMs) => handle({ ...valid, deadlineMs });
    },
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
