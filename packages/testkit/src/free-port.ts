import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below all that a private server, RTP or an outgoing connection may get: a port that one of those takes is gone by the
 * time that the process for which it was found has started. Above all that `fetch` refuses to call (10080 the highest).
 */
const LOWEST_PORT = 11_000;
const HIGHEST_PORT = 19_999;

/** A number that is free for UDP and TCP: what one of them gives may be taken in the other. */
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
