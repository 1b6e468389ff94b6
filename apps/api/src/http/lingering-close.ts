import type { Duplex } from 'node:stream';
import type { Clock } from '@outdial/kernel';

const LINGER_MS = 1_000;

/**
 * For an answer sent before the client has finished its request: drains the rest for a second, because closing a
 * connection with unread bytes may lose the answer on its way. Then closes the connection, so that a client cannot send
 * without end.
 */
export function lingeringClose(isComplete: () => boolean, connection: Duplex, clock: Clock): void {
  clock.after(LINGER_MS, () => {
    if (!isComplete()) connection.destroy();
  });
}
