import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Logger } from '@outdial/kernel';
import { errorBody, statusOf, apiErrorOf } from './error-response.ts';
import type { ApiError } from './api-error.ts';
import type { Message } from './principal.ts';
import { lingeringClose } from './lingering-close.ts';
import { parserApiError, noTunnel, requireHost, unknownExpectation } from './protocol-rejections.ts';
import { jsonHeaders, sendReply } from './reply.ts';
import { requestIdOf } from './request-id.ts';
import { takesOwnTime } from './slow-uploads.ts';

export interface ProtocolErrorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether an error of `upgrade` means that a store is away, rather than a defect. */
  readonly isStoreUnavailable?: ((error: unknown) => boolean) | undefined;
  /** Undefined: every offered upgrade is ignored. */
  readonly upgrade?: UpgradeHandler | undefined;
}

/**
 * Takes over a connection whose request its message class let through (`expressMessages`). An error that it throws is
 * answered in the usual format, as long as nothing was sent.
 */
export type UpgradeHandler = (request: Message, connection: Duplex, head: Buffer) => Promise<void>;

/**
 * Attaches `listener` to the server, and answers requests that never reach it in the usual format: an error in JSON
 * with a request id. Node would send a bare status line, or close the connection silently.
 */
export function answerRequests(server: Server, listener: RequestListener, deps: ProtocolErrorDeps): void {
  const { clock, logger, upgrade } = deps;
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();

  function logRefusal(requestId: string, { code }: ApiError, reason?: string): void {
    logger.debug({ event: 'request.malformed', requestId, code, reason }, 'the HTTP parser rejected the request');
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const apiError = apiErrorOf(error, () => false);
    const requestId = requestIdOf(request.headers['x-request-id']);
    logRefusal(requestId, apiError);
    const reply = { status: statusOf(apiError.code), headers: apiError.headers, body: errorBody(apiError, requestId) };
    response.shouldKeepAlive = false;
    sendReply(request, response, requestId, reply).catch(() => response.destroy());
  }

  /** The rest of this connection cannot be parsed: answer and close it. */
  function refuseConnection(connection: Duplex, apiError: ApiError, requestId = requestIdOf(undefined)): void {
    if (!connection.writable || refused.has(connection)) {
      connection.destroy();
      return;
    }
    refused.add(connection);
    // The client may reset the connection at any moment, and Node has removed its own error listener.
    connection.on('error', () => connection.destroy());
    connection.end(rawAnswer(apiError, requestId));
    lingeringClose(() => connection.destroyed, connection, clock);
  }

  server.on('request', (request, response) => {
    latest.set(request.socket, response);
    try {
      requireHost(request);
    } catch (error) {
      return refuse(request, response, error);
    }
    listener(request, response);
  });
  server.on('checkExpectation', (request, response) => refuse(request, response, unknownExpectation()));
  if (upgrade) {
    server.on('upgrade', (request, connection, head) => {
      // Until the handler has its own.
      const onError = () => connection.destroy();
      connection.on('error', onError);
      const requestId = requestIdOf(request.headers['x-request-id']);
      void upgrade(request, connection, head)
        .catch((error: unknown) => {
          const apiError = apiErrorOf(error, deps.isStoreUnavailable ?? (() => false));
          logRefusal(requestId, apiError);
          refuseConnection(connection, apiError, requestId);
        })
        .finally(() => connection.off('error', onError));
    });
  }
  server.on('connect', (request, connection) => {
    refuseConnection(connection, noTunnel(), requestIdOf(request.headers['x-request-id']));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && takesOwnTime(connection)) return;
    const response = latest.get(connection);
    const isAnswering = response !== undefined && !response.writableFinished;
    if (isAnswering && response.req.complete) {
      // The unreadable bytes followed a complete request, whose answer goes first.
      response.once('close', () => refuseConnection(connection, parserApiError(error)));
      return;
    }
    const isAnswered = response !== undefined && response.headersSent && !response.req.complete;
    if (isAnswered || hasGone(error) || isSilent(connection)) {
      connection.destroy();
      return;
    }
    const requestId = requestIdOf(isAnswering ? response.req.headers['x-request-id'] : undefined);
    const apiError = parserApiError(error);
    logRefusal(requestId, apiError, error.message);
    refuseConnection(connection, apiError, requestId);
  });
}

/** Opened in advance and never used, as browsers and load balancers do: there is no request to answer. */
function isSilent(connection: Duplex): boolean {
  return connection instanceof Socket && connection.bytesRead === 0;
}

function hasGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function rawAnswer(apiError: ApiError, requestId: string): string {
  const status = statusOf(apiError.code);
  const body = JSON.stringify(errorBody(apiError, requestId));
  const headers = [...jsonHeaders(requestId, body, apiError.headers), 'Connection', 'close'];
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${head}\r\n${body}`;
}
