import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { announceIfSlow, type Announce } from './machine/announce.ts';
import type { RunAs } from './machine/command.ts';
import { freePort } from './machine/free-port.ts';
import { logTail, startServer, type ServerCommand, type ServerProcess } from './machine/server.ts';
import type { StoreSetupError } from './machine/setup-error.ts';

export interface StoreLaunch {
  readonly name: 'Redis' | 'Postgres';
  /** Absolute; contains the port and the log. */
  readonly serverDir: string;
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  readonly runAs?: RunAs | undefined;
  readonly stopSignal: ServerCommand['stopSignal'];
  readonly avoidPorts?: readonly number[] | undefined;
  readonly announce: Announce;
  /** Whether the server at this port takes commands. @throws when waiting does not help. */
  readonly isReady: (port: number) => Promise<boolean>;
  /** Part of the log of a start that another attempt, at another port, may fix. */
  readonly passing: RegExp;
  /** One sentence about a start that failed for good, from the end of the log. */
  readonly failure: (log: readonly string[]) => StoreSetupError;
}

export interface LaunchedStore {
  readonly port: number;
  readonly process: ServerProcess;
}

const ATTEMPTS = 5;
const NEXT_ATTEMPT_AFTER_MS = 1_000;
const POLL_MS = 20;
/** Recovery after a crash may take long; as long as the server lives, it is making progress. */
const READY_LIMIT_MS = 600_000;
const LOG_LINES = 40;

/**
 * Starts a store's server at its last port, or at another one when that is taken. Resolves once it is ready.
 *
 * @throws StoreSetupError, or what `isReady` throws; no server is left running then.
 */
export async function launchStore(launch: StoreLaunch): Promise<LaunchedStore> {
  const { name, serverDir, announce, avoidPorts } = launch;
  const portPath = join(serverDir, 'port');
  let preferred = parsePort(await readFile(portPath, 'utf8').catch(() => ''));
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort({ preferred, avoid: avoidPorts });
    const server = await startServer({
      ...launch,
      args: launch.args(port),
      logPath: storeLogPath(launch),
      recordPath: storeRecordPath(launch),
    });
    const ready = becomesReady(server, () => launch.isReady(port));
    const isReady = await announceIfSlow(announce, `Waiting for ${name} to load its data …`, ready).catch(
      async (error: unknown) => {
        await server.stop();
        throw error;
      },
    );
    if (isReady) {
      await writeFile(portPath, `${port}\n`, { mode: 0o600 });
      return { port, process: server };
    }
    await server.stop();
    const log = logTail(storeLogPath(launch), LOG_LINES);
    if (attempt === ATTEMPTS || !log.some((line) => launch.passing.test(line))) throw launch.failure(log);
    await sleep(NEXT_ATTEMPT_AFTER_MS);
    preferred = undefined;
  }
}

type StoreFiles = Pick<StoreLaunch, 'name' | 'serverDir'>;

export function storeLogPath({ name, serverDir }: StoreFiles): string {
  return join(serverDir, `${name.toLowerCase()}.log`);
}

export function storeRecordPath({ name, serverDir }: StoreFiles): string {
  return join(serverDir, `${name.toLowerCase()}.pid.json`);
}

/** False when the server has ended before, or is not ready at the limit. */
async function becomesReady(server: ServerProcess, isReady: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!server.hasEnded() && performance.now() < deadline) {
    if (await isReady()) return true;
    await sleep(POLL_MS);
  }
  return false;
}

function parsePort(text: string): number | undefined {
  const port = Number.parseInt(text, 10);
  return port > 0 && port < 65_536 ? port : undefined;
}
