import { invalidParams } from '@outdial/contracts';
import { z } from 'zod';
import { invalidRequest } from './api-error.ts';
import { fileReaderOf } from './file-body.ts';
import { readJsonBody } from './json-body.ts';
import type { Message } from './principal.ts';
import { readQuery } from './query.ts';
import type { JsonReply, Reply, StreamReply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What a request consists of, and the schemas of its parts. */
export interface RequestContract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The largest JSON body. Default: 64 KiB. */
  readonly maxBodyBytes?: number;
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
export type Work = (deadlineMs: number) => Promise<Reply>;
/** Waits for the body, validates everything, and returns the function that does the work. @throws ApiError */
export type Prepare<Principal> = (raw: RawRequest, principal: Principal) => Promise<Work>;

/** Does the work of a route, and answers. */
export type Handler<
  Principal,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
> = (
  request: RouteRequest<Principal, z.output<Params>, z.output<Query>, z.output<Body>>,
) => Promise<ReplyOf<Responses>>;

/**
 * Replaces the body of a valid request with what only other servers know. Their time counts as the client's own: it is
 * not a part of the deadline of the answer. Changes nothing. @throws ApiError
 */
export type CompleteBody<Principal, Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = (
  request: Omit<RouteRequest<Principal, z.output<Params>, z.output<Query>, z.output<Body>>, 'deadlineMs'>,
) => Promise<z.output<Body>>;

/** Reads and validates requests for a handler, which receives what the schemas parsed. */
export function preparing<
  Principal,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Responses extends ResponseSchemas,
>(
  contract: RequestContract<Params, Query, Body>,
  handle: Handler<Principal, Params, Query, Body, Responses>,
  completeBody?: CompleteBody<Principal, Params, Query, Body>,
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
    const body = completeBody === undefined ? valid.body : await completeBody(valid);
    return (deadlineMs) => handle({ ...valid, body, deadlineMs });
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
