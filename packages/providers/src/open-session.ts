import type { Socket } from 'node:net';
import { EgressError, type EgressClient, type EgressScope } from '@outdial/egress';
import type { Clock } from '@outdial/kernel';
import { WebSocket, type RawData } from 'ws';
import { z } from 'zod';
import type { SessionRequest } from './session-request.ts';

/** `refused`: the provider answered, and does not open a session with this model. */
export type SessionOutcome = 'accepted' | 'refused' | 'unreachable';

export interface SessionOptions {
  readonly scope: EgressScope;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const MAX_MESSAGE_BYTES = 1_024 * 1_024;
/** Close codes for what was sent (RFC 6455 section 7.4.1), and those of the provider's own (section 7.4.2). */
const isForRequest = (code: number) => (code >= 1_002 && code <= 1_010 && code !== 1_006) || code >= 3_000;

const message = z.looseObject({
  type: z.string().optional(),
  error: z.looseObject({ type: z.string().optional() }).optional(),
});

/**
 * Opens a session, sends its settings, and closes it once they are accepted. No sound is sent, so it costs nothing beside the
 * time that it is open.
 *
 * @throws EgressError `aborted` if the signal ends it; no other error
 */
export function openSession(
  egress: Pick<EgressClient, 'connect'>,
  request: SessionRequest,
  { scope, timeoutMs, clock, signal }: SessionOptions,
): Promise<SessionOutcome> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let socket: WebSocket | undefined;
    const timer = clock.after(timeoutMs, () => finish('unreachable'));
    const giveUp = () => {
      if (isOver) return;
      finish('unreachable');
      reject(new EgressError('aborted', 'the check was aborted'));
    };

    function finish(outcome: SessionOutcome): void {
      if (isOver) return;
      isOver = true;
      timer.cancel();
      signal?.removeEventListener('abort', giveUp);
      if (outcome !== 'accepted') socket?.terminate();
      if (signal?.aborted !== true) resolve(outcome);
    }
    function converse(connection: Socket): void {
      const session = new WebSocket(request.url, {
        headers: request.headers,
        perMessageDeflate: false,
        maxPayload: MAX_MESSAGE_BYTES,
        followRedirects: false,
        createConnection: () => connection,
      });
      socket = session;
      session.on('open', () => session.send(JSON.stringify(request.settings)));
      session.on('message', (data) => {
        const said = outcomeOf(data, request);
        if (said === 'accepted' && !isOver) close(session, request);
        if (said !== null) finish(said);
      });
      session.on('unexpected-response', (_, { statusCode = 0 }) => {
        finish(statusCode >= 500 || statusCode < 400 || statusCode === 429 ? 'unreachable' : 'refused');
      });
      session.on('close', (code) => finish(isForRequest(code) ? 'refused' : 'unreachable'));
      // The end of the connection follows. Without a listener the error would be thrown.
      session.on('error', () => finish('unreachable'));
    }

    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) return giveUp();
    egress.connect(request.url, scope).then(
      (connection) => (isOver ? connection.destroy() : converse(connection)),
      () => finish('unreachable'),
    );
  });
}

function close(session: WebSocket, { farewell }: SessionRequest): void {
  if (farewell !== undefined) session.send(JSON.stringify(farewell));
  session.close(1_000);
}

/** Null: a message of no use here. */
function outcomeOf(data: RawData, { accepted }: SessionRequest): SessionOutcome | null {
  const parsed = parse(data);
  if (parsed === null) return null;
  if (parsed.type === accepted || accepted in parsed) return 'accepted';
  if (parsed.error === undefined) return null;
  return /server|overload|rate_limit/.test(parsed.error.type ?? '') ? 'unreachable' : 'refused';
}

function parse(data: RawData): z.output<typeof message> | null {
  if (!Buffer.isBuffer(data)) return null;
  try {
    return message.safeParse(JSON.parse(data.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
