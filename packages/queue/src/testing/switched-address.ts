import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** An address whose new connections lead to another server after a switch. Open connections stay where they are. */
export interface SwitchedAddress {
  readonly url: string;
  switchTo(redisUrl: string): void;
  close(): Promise<void>;
}

/** Behaves like the DNS name of a managed Redis in a failover. */
export async function openSwitchedAddress(redisUrl: string): Promise<SwitchedAddress> {
  let target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => [client, upstream].forEach((either) => either.destroy()));
      socket.once('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    switchTo: (url) => void (target = new URL(url)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
