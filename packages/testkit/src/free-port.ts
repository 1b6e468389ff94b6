import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ranges of private servers, RTP and outgoing connections: those could take the port before the process
 * that needs it has started. Above all ports that `fetch` rejects (10080 is the highest).
 */
const LOWEST_PORT = 11_000;
const HIGHEST_PORT = 19_999;

/** A port that is free for both UDP and TCP: one protocol's port may be taken in the other. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    const udp = createSocket('udp4').bind(port, '127.0.0.1');
    const tcp = createServer().listen(port, '127.0.0.1');
    const bound = await Promise.allSettled([once(udp, 'listening'), once(tcp, 'listening')]);
    udp.close();
    tcp.close();
    if (bound.every(({ status }) => status === 'fulfilled')) return port;
  }
}
