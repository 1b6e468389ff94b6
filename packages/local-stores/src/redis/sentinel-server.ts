import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { launchStore, storeLogPath } from '../launch-store.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import { answers, endLeftoverRedis, type RedisServer, type RedisServerOptions } from './redis-server.ts';

export interface SentinelOptions extends Pick<RedisServerOptions, 'serverDir' | 'program' | 'announce'> {
  /** Of the Sentinels. */
  readonly password: string;
  /** `host`: 127.0.0.1 unless given. */
  readonly primary: {
    readonly name: string;
    readonly host?: string;
    readonly port: number;
    readonly password: string;
  };
  /** How many Sentinels must agree. */
  readonly quorum: number;
  readonly downAfterMs: number;
  /** More lines of sentinel.conf. */
  readonly settings?: readonly string[];
}

/** Starts a Sentinel on a port of 127.0.0.1, for tests of failovers. Resolves once it answers. */
export async function startSentinel(options: SentinelOptions): Promise<RedisServer> {
  const { serverDir, password, primary, program } = options;
  await mkdir(serverDir, { recursive: true, mode: 0o700 });
  await endLeftoverRedis(serverDir);
  const configPath = join(serverDir, 'sentinel.conf');
  await writeFile(configPath, sentinelConfig(options), { mode: 0o600 });
  const url = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const launched = await launchStore({
    name: 'Redis',
    serverDir,
    announce: options.announce,
    command: program.command,
    args: (port) => [configPath, '--port', String(port), '--sentinel'],
    stopSignal: 'SIGTERM',
    isReady: (port) => answers(url(port)),
    passing: /address already in use/i,
    failure: (log) =>
      new StoreSetupError(
        `The Sentinel of ${primary.name} did not start (${log.at(-1) ?? 'no output'}): see ${storeLogPath({ name: 'Redis', serverDir })}.`,
      ),
  });
  return { url: url(launched.port), process: launched.process };
}

function sentinelConfig({ serverDir, password, primary, quorum, downAfterMs, settings = [] }: SentinelOptions): string {
  const { name, host = '127.0.0.1' } = primary;
  return [
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `sentinel sentinel-pass ${password}`,
    `dir "${serverDir}"`,
    // Before the primary: its host may be a name.
    ...settings,
    `sentinel monitor ${name} ${host} ${primary.port} ${quorum}`,
    `sentinel auth-pass ${name} ${primary.password}`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 10000`,
    '',
  ].join('\n');
}
