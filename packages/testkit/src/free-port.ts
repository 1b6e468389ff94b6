import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A number that is free for UDP and TCP: what one of them gives may be taken in the other. */
export async function freePort(): Promise<number> {
  for (;;) {
    const udp = createSocket('udp4');
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    const isFree = once(tcp.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    const found = await isFree;
    tcp.close();
    udp.close();
    if (found) return port;
  }
}
