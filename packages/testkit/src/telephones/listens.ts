import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of a listening socket. A TCP connection that closed a minute ago is in the table too. */
const STATES = { udp: '07', tcp: '0A' } as const;

/**
 * Resolves once a program on this machine listens at the port. The programs do not report when they are ready; the
 * kernel's socket table does. @throws once `isGone`.
 */
export async function listens(port: number, transport: 'udp' | 'tcp', isGone: () => boolean): Promise<void> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  while (!isGone()) {
    const table = await readFile(`/proc/net/${transport}`, 'utf8');
    const sockets = table.split('\n').map((line) => line.trim().split(/\s+/));
    if (sockets.some(([, address, , state]) => address === local && state === STATES[transport])) return;
    await sleep(20);
  }
  throw new Error(`the program ended before it listened at ${port}`);
}
