import { connect } from 'node:net';
import { errorCode } from '../cli-error.ts';

const ANSWER_LIMIT_MS = 2_000;

/** How ready a service is, seen from outside. `absent`: nothing listens at its address. */
export type Presence = 'absent' | 'listening' | 'ready';

/** `ready` means a 200 response. Never rejects. */
export async function presenceAt(url: string): Promise<Presence> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok ? 'ready' : 'listening';
  } catch (error) {
    // Accepting a connection counts as listening, even without a response. So does any error that is not a refused
    // connection.
    const isRefused = error instanceof Error && errorCode(error.cause) === 'ECONNREFUSED';
    return isRefused ? 'absent' : 'listening';
  }
}

/** For a service that is ready as soon as its TCP port is open. Never rejects. */
export function presenceOn(host: string, port: number): Promise<Presence> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_LIMIT_MS });
    const answer = (presence: Presence) => {
      socket.destroy();
      resolve(presence);
    };
    socket.once('connect', () => answer('ready'));
    socket.once('timeout', () => answer('absent'));
    socket.once('error', () => answer('absent'));
  });
}
