import type { Duplex } from 'node:stream';
import type { Clock } from '@outdial/kernel';

const LINGER_MS = 1_000;

/**
 * After an answer that came before the end of what the client sends: the rest is read and dropped for a second, because
 * a connection that is closed with bytes unread loses the answer on its way. Then it is closed, or a client that sends
 * without end would be read without end.
 */
export function closeUnless(isComplete: () => boolean, connection: Duplex, clock: Clock): void {
  clock.after(LINGER_MS, () => {
    if (!isComplete()) connection.destroy();
  });
}
