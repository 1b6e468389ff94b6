import { createServer, type Server } from 'node:http';
import { isReady, type WorkerReadiness } from '../stores/readiness.ts';

/** Reports the worker's health on loopback, for the process supervisor. */
export function serveHealth(port: number, checkReadiness: () => Promise<WorkerReadiness>): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = (status: number, state: string, details: Partial<WorkerReadiness> = {}) => {
      const body = JSON.stringify({ status: state, ...details });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    if (request.url === '/healthz') return reply(200, 'ok');
    if (request.url !== '/readyz') return reply(404, 'not_found');
    checkReadiness().then(
      (readiness) => (isReady(readiness) ? reply(200, 'ready', readiness) : reply(503, 'not_ready', readiness)),
      () => reply(503, 'not_ready'),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new HealthPortError(port, error)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export class HealthPortError extends Error {
  constructor(port: number, cause: NodeJS.ErrnoException) {
    const reason = cause.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${cause.message})`;
    super(`Port ${port} ${reason}: set OUTDIAL_WORKER_HEALTH_PORT to another port.`, { cause });
    this.name = 'HealthPortError';
  }
}
