import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { StoreSetupError } from './setup-error.ts';

/**
 * Below 32768, where Linux starts to hand out ports to outgoing connections: a port from that range may be taken by
 * anybody's connection at the moment a server wants it back.
 */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const ATTEMPTS = 50;

export interface PortWish {
  /** Taken if it can be. */
  readonly preferred?: number | undefined;
  /** Free perhaps, but others of this machine will want them. */
  readonly avoid?: readonly number[] | undefined;
}

/** A port of 127.0.0.1 that is free now: the preferred one if it is, else a random one. */
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

/** The port a server had last time, from its folder: clients that know it find the server again after a restart. */
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
