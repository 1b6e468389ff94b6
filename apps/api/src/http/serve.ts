import type { IncomingMessage, ServerResponse } from 'node:http';
import { withDeadline } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import type { RequestHandler } from 'express';
import type { Route } from './define-route.ts';
import { errorBody, statusOf, toFault } from './error-response.ts';
import type { ApiFault, FaultCode } from './fault.ts';
import { RequestAborted } from './json-body.ts';
import { closeUnless } from './linger.ts';
import type { Access, Admissions, Message } from './principal.ts';
import { sendReply, type Reply } from './reply.ts';
import { requestIdOf } from './request-id.ts';
import type { InFlightRequests } from './in-flight-requests.ts';

export interface ServeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly admissions: Admissions;
  /** Whether an error says that a store is away, rather than that something is wrong. */
  readonly isStoreUnavailable: (error: unknown) => boolean;
  readonly inFlight: InFlightRequests;
  /** Hears of each request that is answered with an error. */
  readonly onRefused: (code: FaultCode) => void;
  /** True once the process is to end: connections are then not kept for another request. */
  readonly isDraining: () => boolean;
}

/** Answers are promised within a second, whichever store hangs; the rest is for a busy process to send them. */
const BUDGET_MS = 800;

/**
 * A body that took longer to come is not worth what its sender was let in for: whoever lost a key, a session or a
 * membership meanwhile would otherwise still use it, for as long as they hold the end of the body back.
 */
const ADMITTED_FOR_MS = 250;

/** What runs for one request, given its id. */
type Work = (requestId: string) => Promise<Reply>;

/** Answers whoever asks. */
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
    if (!request.complete) closeUnless(() => request.complete, request.socket, clock);
  }

  /** @param path as it stands in the contract: what clients put into paths and queries does not belong in a log. */
  async function answer(request: IncomingMessage, response: ServerResponse, path: string, work: Work): Promise<void> {
    const startedMs = clock.monotonicMs();
    const requestId = requestIdOf(request.headers['x-request-id']);
    let reply: Reply;
    try {
      reply = await work(requestId);
    } catch (error) {
      if (error instanceof RequestAborted) return;
      const fault = toFault(error, deps.isStoreUnavailable);
      deps.onRefused(fault.code);
      logFault(fault, requestId);
      reply = { status: statusOf(fault.code), headers: fault.headers, body: errorBody(fault, requestId) };
    }
    if (deps.isDraining()) response.shouldKeepAlive = false;
    await sendReply(request, response, requestId, reply).catch((error: unknown) => {
      // Mostly a client that went away in the middle of a recording. Once the head is sent nothing can be mended: the
      // connection is broken off, so that the client sees that it does not have the whole.
      logger[response.headersSent ? 'debug' : 'error']({ requestId, err: error }, 'answer broken off');
      response.destroy();
    });
    if (!logger.isLevelEnabled('debug')) return;
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    logger.debug({ requestId, method: request.method, path, status: reply.status, tookMs }, 'request answered');
  }

  function logFault(fault: ApiFault, requestId: string): void {
    if (fault.code === 'internal_error') logger.error({ requestId, err: fault.cause }, 'request failed');
    // A process that has too much to do says so without a cause.
    else if (statusOf(fault.code) === 503 && fault.cause === undefined) logger.warn({ requestId }, 'refused: too busy');
    else if (statusOf(fault.code) === 503) logger.warn({ requestId, err: fault.cause }, 'a store is away');
  }

  async function runRoute(route: Route, message: Message, params: unknown, requestId: string): Promise<Reply> {
    const admitBy = (dueMs: number) =>
      withDeadline(clock, dueMs, route.admit(deps.admissions, { message, params, requestId }));
    const dueMs = clock.monotonicMs() + BUDGET_MS;
    const prepare = await admitBy(dueMs);
    const admittedMs = clock.monotonicMs();
    // Waits for the client to send its body, and that time is not ours.
    const work = await prepare();
    const waitedMs = clock.monotonicMs() - admittedMs;
    const deadlineMs = dueMs + waitedMs;
    if (waitedMs > ADMITTED_FOR_MS) await admitBy(deadlineMs);
    return route.keepsDeadline ? work(deadlineMs) : replyBy(deadlineMs, work(deadlineMs));
  }

  async function replyBy(deadlineMs: number, working: Promise<Reply>): Promise<Reply> {
    try {
      return await withDeadline(clock, deadlineMs, working);
    } catch (error) {
      // What comes later may hold a file or an event stream open, which nobody would ever read to its end.
      void working.then(letGo, () => undefined);
      throw error;
    }
  }

  return {
    /** A route: lets in whoever may call it, counts, validates. */
    route(route: Route): RequestHandler {
      return (request, response) =>
        respond(request, response, route.contract.path, (requestId) =>
          runRoute(route, request, request.params, requestId),
        );
    },
    /** Lets in whoever may, and hands on to what answers by itself, under the request's id; answers whoever may not. */
    guard(access: Access, path: string): RequestHandler {
      return async (request, response, next) => {
        try {
          const admitted: Promise<unknown> = deps.admissions[access](request, request.params);
          await withDeadline(clock, clock.monotonicMs() + BUDGET_MS, admitted);
        } catch (fault) {
          return respond(request, response, path, async () => {
            throw fault;
          });
        }
        response.setHeader('X-Request-Id', requestIdOf(request.headers['x-request-id']));
        next();
      };
    },
    /** Anything that needs no key. */
    open(path: string, work: OpenHandler): RequestHandler {
      return (request, response) => respond(request, response, path, () => work(request));
    },
    /** Always answers with that fault. */
    refuse(fault: unknown): RequestHandler {
      return (request, response) =>
        respond(request, response, 'refused', async () => {
          throw fault;
        });
    },
  };
}

export type Serve = ReturnType<typeof createServe>;

/** Of a reply that is not sent. */
function letGo(reply: Reply): void {
  if ('stream' in reply) reply.stream?.destroy();
}
