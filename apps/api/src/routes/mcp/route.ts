import { Readable } from 'node:stream';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import { answerMcp, type McpAnswer } from '@outdial/mcp';
import { z } from 'zod';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { credentialsOf } from '../../http/credentials.ts';
import { NO_PARAMS, NO_QUERY, type Route } from '../../http/define-route.ts';
import { EVENT_STREAM_HEADERS } from '../../http/event-stream.ts';
import { headerOf } from '../../http/header.ts';
import { readJsonBody } from '../../http/json-body.ts';
import type { AccountPrincipal, Message } from '../../http/principal.ts';
import type { Reply } from '../../http/reply.ts';
import type { OpenStreams } from '../../live/open-streams.ts';
import { openOwnClient } from './own-client.ts';

export interface McpDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly streams: OpenStreams;
  readonly publicUrl: () => string;
  /** Where this process itself answers. */
  readonly ownUrl: () => string;
}

interface McpMessage {
  readonly message: Message;
  readonly principal: AccountPrincipal;
  readonly requestId: string;
  readonly body: z.output<typeof messageSchema>;
}

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });

/**
 * The Model Context Protocol over HTTP. The tools ask this service with the key of the caller, so that limits, scopes and
 * tenancy are decided where they are for every program.
 */
export function mcpRoute(deps: McpDeps): Route {
  return {
    contract: {
      method: 'POST',
      path: '/mcp',
      params: NO_PARAMS,
      query: NO_QUERY,
      body: messageSchema,
      responses: {},
      errors: ['origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
    },
    access: 'api_key',
    keepsDeadline: false,
    async checkAccess(accessChecks, { message, params, requestId }) {
      refuseOtherOrigins(message, new URL(deps.publicUrl()).origin);
      const principal = await accessChecks.api_key(message, params);
      return async () => {
        const parsed = messageSchema.safeParse(await readJsonBody(message));
        if (!parsed.success) throw invalidRequest([{ param: 'body', message: 'must be one JSON-RPC 2.0 message' }]);
        return () => answer(deps, { message, principal, requestId, body: parsed.data });
      };
    },
  };
}

/** The answer to a request is a stream, which takes one of the places that the key has for streams. */
async function answer(deps: McpDeps, request: McpMessage): Promise<Reply> {
  const ending = new AbortController();
  const release = deps.streams.hold(request.principal, { end: () => ending.abort() });
  const mcp = start(deps, request, ending.signal);
  const finish = () => {
    release();
    void mcp.close();
  };
  try {
    const response = await mcp.response;
    if (response.body !== null && isEventStream(response)) {
      const stream = Readable.fromWeb(response.body);
      stream.once('close', finish);
      // A tool that waits returns what it knows. A subscription never ends by itself.
      if (request.body['method'] === 'subscriptions/listen') onceAborted(ending.signal, () => void mcp.close());
      return { status: 200, headers: EVENT_STREAM_HEADERS, stream };
    }
    const text = await response.text();
    finish();
    if (text === '') return { status: 202, headers: { 'Cache-Control': 'no-store' }, stream: null };
    return { status: response.status, body: JSON.parse(text) };
  } catch (error) {
    finish();
    throw error;
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/event-stream') === true;
}

function onceAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

function start({ clock, logger, ownUrl }: McpDeps, request: McpMessage, ending: AbortSignal): McpAnswer {
  const { message, body, requestId } = request;
  const apiKey = keyOf(message);
  return answerMcp({
    message,
    body,
    outdial: openOwnClient({ clock, apiKey, baseUrl: ownUrl(), requestId }),
    sleep: (ms, signal) => pause(clock, ms, signal),
    ending,
    onDefect: (error) => logger.error({ event: 'request.failed', requestId, err: error }, 'a tool failed'),
    onRejected: (error) =>
      logger.debug({ event: 'mcp.rejected', requestId, err: error }, 'an MCP message was rejected'),
  });
}

function keyOf({ rawHeaders }: Message): string {
  const credentials = credentialsOf(rawHeaders);
  return credentials.kind === 'given' ? credentials.key : '';
}

/** Browsers name the page that asks. A page that could reach this service must not act as its visitor's programs. */
function refuseOtherOrigins({ rawHeaders }: Message, publicOrigin: string): void {
  const origin = headerOf(rawHeaders, 'Origin');
  if (origin === null || origin === publicOrigin) return;
  throw new ApiError({
    code: 'origin_not_allowed',
    publicMessage: 'Pages of other origins may not use this path. Connect from a program, which sends no Origin.',
  });
}
