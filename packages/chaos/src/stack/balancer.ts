import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';
import { endpointOf } from './service.ts';

/** Forwards each new connection to one of the APIs that are ready, as a Service of Kubernetes does. It never tries again. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Of a readiness probe. The APIs go on answering for longer than that after a SIGTERM. */
const PROBE_EVERY_MS = 200;

export async function openBalancer(apis: readonly Service[]): Promise<Balancer> {
  let ready: readonly Service[] = apis;
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    turn += 1;
    const api = ready[turn % ready.length];
    if (api === undefined) {
      client.resetAndDestroy();
      return;
    }
    const { host, port } = endpointOf(api.url);
    const upstream = connect(port, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the balancer listens on a port');
  const stopping = new AbortController();
  const probing = (async () => {
    while (!stopping.signal.aborted) {
      const states = await Promise.all(apis.map(isReady));
      ready = apis.filter((_, index) => states[index]);
      await sleep(PROBE_EVERY_MS);
    }
  })();
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      stopping.abort();
      await probing;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What the chart's readiness probe asks. */
async function isReady({ url }: Service): Promise<boolean> {
  const response = await fetch(`${url}/readyz?stores=ignore`).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
}
