import { connect } from 'node:net';
import { errorCode } from '../cli-error.ts';

const ANSWER_LIMIT_MS = 2_000;

/** How far a service is, seen from outside. `absent`: nobody listens where it is to be reached. */
export type Presence = 'absent' | 'listening' | 'ready';

/** Ready is who answers 200. Never rejects. */
export async function presenceAt(url: string): Promise<Presence> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok ? 'ready' : 'listening';
  } catch (error) {
    // Whoever takes a connection and gives no answer listens. What cannot be told is taken for that too.
    const isRefused = error instanceof Error && errorCode(error.cause) === 'ECONNREFUSED';
    return isRefused ? 'absent' : 'listening';
  }
}

/** For a service that is ready as soon as it listens on its TCP port. Never rejects. */
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
