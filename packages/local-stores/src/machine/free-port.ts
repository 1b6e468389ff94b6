import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { StoreSetupError } from './setup-error.ts';

/**
 * Below 32768, where Linux's range for outgoing connections starts: a connection could hold a port of that range at
 * the moment a server needs it back.
 */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const ATTEMPTS = 50;

export interface PortOptions {
  /** Used if it is free. */
  readonly preferred?: number | undefined;
  /** Ports to leave to other servers, even if they are free now. */
  readonly avoid?: readonly number[] | undefined;
}

/** A port of 127.0.0.1 that is free now: the preferred one if possible, otherwise a random one. */
export async function freePort({ preferred, avoid = [] }: PortOptions = {}): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = (attempt === 0 ? preferred : undefined) ?? randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    if (!avoid.includes(port) && (await isFree(port))) return port;
  }
  throw new StoreSetupError(
    `No free port was found between ${LOWEST_PORT} and ${HIGHEST_PORT} on 127.0.0.1: end some servers there and try again.`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
