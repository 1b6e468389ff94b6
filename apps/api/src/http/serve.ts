import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, DeadlineExceeded, type Logger, withDeadline } from '@outdial/kernel';
import type { RequestHandler } from 'express';
import type { Route } from './define-route.ts';
import { errorBody, statusOf, apiErrorOf } from './error-response.ts';
import { changeUnconfirmed, type ApiError, type ApiErrorCode } from './api-error.ts';
import { RequestAborted } from './json-body.ts';
import { lingeringClose } from './lingering-close.ts';
import type { Access, AccessChecks, Message } from './principal.ts';
import { sendReply, type Reply } from './reply.ts';
import { requestIdOf } from './request-id.ts';
import type { InFlightRequests } from './in-flight-requests.ts';

export interface ServeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accessChecks: AccessChecks;
  /** Whether an error means that a store is away, rather than a defect. */
  readonly isStoreUnavailable: (error: unknown) => boolean;
  readonly inFlight: InFlightRequests;
  /** Called for each request that is answered with an error. */
  readonly onRefused: (code: ApiErrorCode) => void;
  /** True while the process shuts down: connections then close after their answer. */
  readonly isDraining: () => boolean;
}

/** Answers are promised within a second, even if a store hangs; the remainder is for a busy process to send them. */
const BUDGET_MS = 800;

/**
 * A sender whose body took longer than this is checked again: otherwise a sender that lost its key, session or
 * membership could still use it by holding back the end of the body.
 */
const ACCESS_TRUSTED_FOR_MS = 250;

/** What runs for one request, given its id. */
type Work = (requestId: string) => Promise<Reply>;

/** Answers a request. */
export type OpenHandler = (request: IncomingMessage) => Promise<Reply>;

/**
 * One step for everything that all routes share: authenticate, count, validate, handle, answer. A chain of middleware
 * would do the same with a closure, a tick and a header map for each.
 */
export function createServe(deps: ServeDeps) {
  const { clock, logger, inFlight } = deps;

  async function respond(request: IncomingMessage, response: ServerResponse, path: string, work: Work): Promise<void> {
    inFlight.begin();
    try {
      await answer(request, response, path, work);
    } finally {
      inFlight.end();
    }
    if (!request.complete) lingeringClose(() => request.complete, request.socket, clock);
  }

  /** @param path as it stands in the contract: the log must not contain what clients put into paths and queries. */
  async function answer(request: IncomingMessage, response: ServerResponse, path: string, work: Work): Promise<void> {
    const startedMs = clock.monotonicMs();
    const requestId = requestIdOf(request.headers['x-request-id']);
    let reply: Reply;
    try {
      reply = await work(requestId);
    } catch (error) {
      if (error instanceof RequestAborted) return;
      const apiError = apiErrorOf(error, deps.isStoreUnavailable);
      deps.onRefused(apiError.code);
      logApiError(apiError, requestId);
      reply = { status: statusOf(apiError.code), headers: apiError.headers, body: errorBody(apiError, requestId) };
    }
    if (deps.isDraining()) response.shouldKeepAlive = false;
    await sendReply(request, response, requestId, reply).catch((error: unknown) => {
      // Usually a client that disconnected in the middle of a recording. Once the head is sent, an error cannot be
      // returned: the connection is reset, so that the client sees that the answer is incomplete.
      logger[response.headersSent ? 'debug' : 'error'](
        { event: 'request.aborted', requestId, err: error },
        'the answer was aborted',
      );
      response.destroy();
    });
    if (!logger.isLevelEnabled('debug')) return;
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    logger.debug(
      { event: 'request.answered', requestId, method: request.method, path, status: reply.status, tookMs },
      'request answered',
    );
  }

  function logApiError(apiError: ApiError, requestId: string): void {
    if (apiError.code === 'internal_error')
      logger.error({ event: 'request.failed', requestId, err: apiError.cause }, 'request failed');
    // A process that is overloaded reports it without a cause.
    else if (apiError.code === 'service_unavailable' && apiError.cause === undefined)
      logger.warn({ event: 'request.overloaded', requestId }, 'the process is too busy: request rejected');
    else if (statusOf(apiError.code) === 503 && apiError.cause !== undefined)
      logger.warn({ event: 'request.store_away', requestId, err: apiError.cause }, 'a store is away');
  }

  async function runRoute(route: Route, message: Message, params: unknown, requestId: string): Promise<Reply> {
    const checkAccessBy = (dueMs: number) =>
      withDeadline(clock, dueMs, route.checkAccess(deps.accessChecks, { message, params, requestId }));
    const dueMs = clock.monotonicMs() + BUDGET_MS;
    const prepare = await checkAccessBy(dueMs);
    const checkedMs = clock.monotonicMs();
    // Waits for the client to send its body. That time does not count against the deadline.
    const work = await prepare();
    const waitedMs = clock.monotonicMs() - checkedMs;
    const deadlineMs = dueMs + waitedMs;
    if (waitedMs > ACCESS_TRUSTED_FOR_MS) await checkAccessBy(deadlineMs);
    return route.keepsDeadline ? work(deadlineMs) : replyBy(deadlineMs, work(deadlineMs), route.contract.method);
  }

  async function replyBy(deadlineMs: number, working: Promise<Reply>, method: string): Promise<Reply> {
    try {
      return await withDeadline(clock, deadlineMs, working);
    } catch (error) {
      // A late answer may hold a file or an event stream open, which no client reads.
      void working.then(discard, () => undefined);
      // The statement may still commit, or has: the client must not take the request for one without an effect.
      const isUnknown = error instanceof DeadlineExceeded || deps.isStoreUnavailable(error);
      throw method !== 'GET' && isUnknown ? changeUnconfirmed(error) : error;
    }
  }

  return {
    /** A route: checks access, counts, validates. */
    route(route: Route): RequestHandler {
      return (request, response) =>
        respond(request, response, route.contract.path, (requestId) =>
          runRoute(route, request, request.params, requestId),
        );
    },
    /**
     * Checks the access of the sender and passes the request, with its id, to a handler that answers on its own. Answers rejected
     * senders.
     */
    guard(access: Access, path: string): RequestHandler {
      return async (request, response, next) => {
        try {
          const checked: Promise<unknown> = deps.accessChecks[access](request, request.params);
          await withDeadline(clock, clock.monotonicMs() + BUDGET_MS, checked);
        } catch (error) {
          return respond(request, response, path, async () => {
            throw error;
          });
        }
        response.setHeader('X-Request-Id', requestIdOf(request.headers['x-request-id']));
        next();
      };
    },
    /** A handler that needs no key. */
    open(path: string, work: OpenHandler): RequestHandler {
      return (request, response) => respond(request, response, path, () => work(request));
    },
    /** Always answers with that API error. */
    refuse(error: unknown): RequestHandler {
      return (request, response) =>
        respond(request, response, 'refused', async () => {
          throw error;
        });
    },
  };
}

export type Serve = ReturnType<typeof createServe>;

/** Closes the body of a reply that is not sent. */
function discard(reply: Reply): void {
  if ('stream' in reply) reply.stream?.destroy();
}
