import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds?: number;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Answers an upgrade that is refused: there is no response object yet. */
export function refuseUpgrade(socket: Duplex, { status, body, retryAfterSeconds }: Refusal): void {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    'Connection: close',
  ];
  // A client that has read the status may reset the connection.
  socket.on('error', () => undefined);
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

export function refuseRequest(response: ServerResponse, { status, body, retryAfterSeconds }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
  response.end(JSON.stringify(body));
}

/** As the providers quote a key that they reject: in part. */
export const quotedKey = (key: string): string => `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;

const SIMULATED_KEY = /^sk-simulated-[\w-]+$/;
export const isSimulatedKey = (key: string): boolean => SIMULATED_KEY.test(key);
