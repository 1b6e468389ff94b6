import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { StoreSetupError } from './setup-error.ts';

/**
 * Below 32768, where Linux's range for outgoing connections starts: a connection could hold a port of that range at
 * the moment a server needs it back.
 */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const ATTEMPTS = 50;

export interface PortWish {
  /** Used if it is free. */
  readonly preferred?: number | undefined;
  /** Ports to leave to other servers, even if they are free now. */
  readonly avoid?: readonly number[] | undefined;
}

/** A port of 127.0.0.1 that is free now: the preferred one if possible, otherwise a random one. */
export async function freePort({ preferred, avoid = [] }: PortWish = {}): Promise<number> {
  const canBe = async (port: number) => !avoid.includes(port) && (await isFree(port));
  if (preferred !== undefined && (await canBe(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    if (await canBe(port)) return port;
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

/** The server's last port, from its folder: clients that know it find the server again after a restart. */
export async function rememberedPort(serverDir: string): Promise<number | undefined> {
  const port = Number.parseInt(await readFile(portPath(serverDir), 'utf8').catch(() => ''), 10);
  return port >= LOWEST_PORT && port <= HIGHEST_PORT ? port : undefined;
}

export async function rememberPort(serverDir: string, port: number): Promise<void> {
  await writeFile(portPath(serverDir), `${port}\n`, { mode: 0o600 });
}

function portPath(serverDir: string): string {
  return join(serverDir, 'port');
}
