import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Announce } from '../machine/announce.ts';
import { findProgram, runCommand, type RunAs } from '../machine/command.ts';
import { StoreSetupError } from '../machine/setup-error.ts';
import { embeddedBinDir } from './embedded.ts';

/** An installed Postgres that runs on this machine. */
export interface PostgresProgram {
  readonly origin: 'embedded' | 'system';
  readonly postgres: string;
  readonly initdb: string;
  /** A data folder works only with its own major version. */
  readonly majorVersion: number;
}

export interface FindPostgresOptions {
  readonly runAs: RunAs | undefined;
  readonly announce: Announce;
  /** The version that created the existing data folder, if there is one. */
  readonly dataVersion?: number | undefined;
  /** Only this one. Default: the npm dependency's first, then the system's. */
  readonly origin?: PostgresProgram['origin'] | undefined;
}

const OLDEST_MAJOR_VERSION = 14;

/** Finds Postgres: the npm dependency's first, then the system's. An existing data folder needs its own version. */
export async function findPostgres(options: FindPostgresOptions): Promise<PostgresProgram> {
  const { runAs, announce, dataVersion } = options;
  const embedded = options.origin === 'system' ? undefined : await embeddedBinDir(runAs, announce);
  const places = [
    ...(embedded === undefined ? [] : [{ origin: 'embedded' as const, binDir: embedded }]),
    ...(await systemBinDirs()).map((binDir) => ({ origin: 'system' as const, binDir })),
  ];
  const versions: number[] = [];
  for (const { origin, binDir } of places) {
    const majorVersion = await versionIn(binDir, runAs);
    if (majorVersion === undefined || majorVersion < OLDEST_MAJOR_VERSION) continue;
    if (dataVersion === undefined || majorVersion === dataVersion) {
      return { origin, postgres: join(binDir, 'postgres'), initdb: join(binDir, 'initdb'), majorVersion };
    }
    versions.push(majorVersion);
  }
  throw new StoreSetupError(
    dataVersion === undefined
      ? 'No Postgres was found for this machine: install one (Debian: `sudo apt-get install -y postgresql`; macOS: `brew install postgresql@18`), or set DATABASE_URL to your own Postgres.'
      : `The Postgres data was created by version ${dataVersion}, but this machine has ${versions.join(', ') || 'none'}: install Postgres ${dataVersion}, or set DATABASE_URL to your own Postgres.`,
  );
}

/** The version of an existing cluster, from its PG_VERSION file. */
export async function clusterVersion(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '');
  const version = Number.parseInt(text, 10);
  return Number.isNaN(version) ? undefined : version;
}

/** PATH first, then Debian's versioned folders and Homebrew's, the newest first. */
async function systemBinDirs(): Promise<readonly string[]> {
  const onPath = await findProgram('postgres');
  // Debian's programs find their libraries and templates relative to their real path, not to a link.
  const first = onPath === undefined ? [] : [dirname(await realpath(onPath))];
  const parents = [
    { parent: '/usr/lib/postgresql', prefix: '' },
    { parent: '/opt/homebrew/opt', prefix: 'postgresql' },
    { parent: '/usr/local/opt', prefix: 'postgresql' },
  ];
  const others = await Promise.all(
    parents.map(async ({ parent, prefix }) => {
      const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix));
      const newestFirst = names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
      return newestFirst.map((name) => join(parent, name, 'bin'));
    }),
  );
  return [...new Set([...first, ...others.flat()])];
}

/** Runs the programs once, to detect a wrong C library or missing libraries. */
async function versionIn(binDir: string, runAs: RunAs | undefined): Promise<number | undefined> {
  const [server, setup] = await Promise.all(
    ['postgres', 'initdb'].map((name) => runCommand(join(binDir, name), ['--version'], { runAs, timeoutMs: 10_000 })),
  );
  const version = /\(PostgreSQL\) (\d+)/.exec(server?.stdout ?? '');
  return server?.succeeded && setup?.succeeded && version ? Number(version[1]) : undefined;
}
