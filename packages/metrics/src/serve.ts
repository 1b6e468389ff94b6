import { createServer, type Server } from 'node:http';
import { CONTENT_TYPES, type Expose } from './exposition.ts';
import { chooseFormat } from './format.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** The setting that chose the port, for the error message. */
  readonly setting: string;
  readonly expose: Expose;
}

/** The address cannot be used. The message says why and what to do. */
export class MetricsPortError extends Error {
  constructor({ host, port, setting }: ServeOptions, cause: NodeJS.ErrnoException) {
    const inUse = `Port ${port} is in use by another program: set ${setting} to another port.`;
    const other = `${host}:${port} cannot be used to listen (${cause.message}): correct METRICS_HOST or ${setting}.`;
    super(cause.code === 'EADDRINUSE' ? inUse : other, { cause });
    this.name = 'MetricsPortError';
  }
}

export interface MetricsServer {
  readonly url: string;
  /** Aborts requests in progress: a scraper retries. */
  close(): Promise<void>;
}

/** `GET /metrics` on a separate port, without authentication. @throws MetricsPortError */
export async function serveMetrics(options: ServeOptions): Promise<MetricsServer> {
  const { host, port, expose } = options;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') {
      response.writeHead(404).end();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else {
      const format = chooseFormat(request);
      expose(format).then(
        (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPES[format] }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new MetricsPortError(options, error)));
    server.listen(port, host, resolve);
  });
  // The listener must not keep a process alive that has nothing else to do.
  server.unref();
  return {
    url: urlOf(server),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/metrics`;
}
