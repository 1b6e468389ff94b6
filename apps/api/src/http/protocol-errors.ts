import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Logger } from '@outdial/kernel';
import { errorBody, statusOf, toFault } from './error-response.ts';
import type { ApiFault } from './fault.ts';
import { lingeringClose } from './lingering-close.ts';
import { faultOfParser, noTunnel, requireHost, unknownExpectation } from './protocol-fault.ts';
import { jsonHeaders, sendReply } from './reply.ts';
import { requestIdOf } from './request-id.ts';

export interface ProtocolErrorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Attaches `listener` to the server, and answers requests that never reach it in the usual format: an error in JSON
 * with a request id. Node would send a bare status line, or close the connection silently.
 */
export function answerRequests(server: Server, listener: RequestListener, { clock, logger }: ProtocolErrorDeps): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();

  function logRefusal(requestId: string, { code }: ApiFault, reason?: string): void {
    logger.debug({ event: 'request.malformed', requestId, code, reason }, 'the HTTP parser rejected the request');
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const fault = toFault(error, () => false);
    const requestId = requestIdOf(request.headers['x-request-id']);
    logRefusal(requestId, fault);
    const reply = { status: statusOf(fault.code), headers: fault.headers, body: errorBody(fault, requestId) };
    response.shouldKeepAlive = false;
    sendReply(request, response, requestId, reply).catch(() => response.destroy());
  }

  /** The rest of this connection cannot be parsed: answer and close it. */
  function refuseConnection(connection: Duplex, fault: ApiFault, requestId = requestIdOf(undefined)): void {
    if (!connection.writable || refused.has(connection)) {
      connection.destroy();
      return;
    }
    refused.add(connection);
    // The client may reset the connection at any moment, and Node has removed its own error listener.
    connection.on('error', () => connection.destroy());
    connection.end(rawAnswer(fault, requestId));
    lingeringClose(() => connection.destroyed, connection, clock);
  }

  server.on('request', (request, response) => {
    latest.set(request.socket, response);
    try {
      requireHost(request);
    } catch (fault) {
      return refuse(request, response, fault);
    }
    listener(request, response);
  });
  server.on('checkExpectation', (request, response) => refuse(request, response, unknownExpectation()));
  server.on('connect', (request, connection) => {
    refuseConnection(connection, noTunnel(), requestIdOf(request.headers['x-request-id']));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    const response = latest.get(connection);
    const isAnswering = response !== undefined && !response.writableFinished;
    if (isAnswering && response.req.complete) {
      // The unreadable bytes followed a complete request, whose answer goes first.
      response.once('close', () => refuseConnection(connection, faultOfParser(error)));
      return;
    }
    const isAnswered = response !== undefined && response.headersSent && !response.req.complete;
    if (isAnswered || hasGone(error) || isSilent(connection)) {
      connection.destroy();
      return;
    }
    const requestId = requestIdOf(isAnswering ? response.req.headers['x-request-id'] : undefined);
    const fault = faultOfParser(error);
    logRefusal(requestId, fault, error.message);
    refuseConnection(connection, fault, requestId);
  });
}

/** Opened in advance and never used, as browsers and load balancers do: there is no request to answer. */
function isSilent(connection: Duplex): boolean {
  return connection instanceof Socket && connection.bytesRead === 0;
}

function hasGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function rawAnswer(fault: ApiFault, requestId: string): string {
  const status = statusOf(fault.code);
  const body = JSON.stringify(errorBody(fault, requestId));
  const headers = [...jsonHeaders(requestId, body, fault.headers), 'Connection', 'close'];
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${head}\r\n${body}`;
}
