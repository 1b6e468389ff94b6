import { createServer, type Server } from 'node:http';
import { isReady, type WorkerReadiness } from '../stores/readiness.ts';

interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

/** What probes ask. */
export const HEALTH_PATHS = { live: '/healthz', ready: '/readyz' } as const;

/** Reports the worker's health to its supervisor. @throws HealthAddressError */
export function serveHealth(address: HealthAddress, checkReadiness: () => Promise<WorkerReadiness>): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = (status: number, state: string, details: Partial<WorkerReadiness> = {}) => {
      const body = JSON.stringify({ status: state, ...details });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    if (request.url === HEALTH_PATHS.live) return reply(200, 'ok');
    if (request.url !== HEALTH_PATHS.ready) return reply(404, 'not_found');
    checkReadiness().then(
      (readiness) => (isReady(readiness) ? reply(200, 'ready', readiness) : reply(503, 'not_ready', readiness)),
      () => reply(503, 'not_ready'),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new HealthAddressError(address, error)));
    server.listen(address.port, address.host, () => resolve(server));
  });
}

export class HealthAddressError extends Error {
  constructor(address: HealthAddress, cause: NodeJS.ErrnoException) {
    super(reasonOf(address, cause), { cause });
    this.name = 'HealthAddressError';
  }
}

function reasonOf({ host, port }: HealthAddress, { code = '', message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program: set OUTDIAL_WORKER_HEALTH_PORT to another port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set OUTDIAL_WORKER_HEALTH_HOST to one that is.`;
    default:
      return `Port ${port} cannot be opened (${message}): set OUTDIAL_WORKER_HEALTH_PORT to another port.`;
  }
}
