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
}

const OLDEST_MAJOR_VERSION = 14;

/** Finds Postgres: the npm dependency's first, then the system's. Prefers the version that created the data. */
export async function findPostgres(options: FindPostgresOptions): Promise<PostgresProgram> {
  const programs = await usablePrograms(options);
  const { dataVersion } = options;
  const fitting = programs.find((program) => dataVersion === undefined || program.majorVersion === dataVersion);
  if (fitting) return fitting;
  if (dataVersion !== undefined) {
    throw new StoreSetupError(
      `The Postgres data was created by version ${dataVersion}, but this machine has ${versionsOf(programs)}: install Postgres ${dataVersion}, or set DATABASE_URL to your own Postgres.`,
    );
  }
  throw new StoreSetupError(
    'No Postgres was found for this machine: install one (Debian: `sudo apt-get install -y postgresql`; macOS: `brew install postgresql@18`), or set DATABASE_URL to your own Postgres.',
  );
}

/** The version of an existing cluster, from its PG_VERSION file. */
export async function clusterVersion(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '');
  const version = Number.parseInt(text, 10);
  return Number.isNaN(version) ? undefined : version;
}

async function usablePrograms({ runAs, announce }: FindPostgresOptions): Promise<readonly PostgresProgram[]> {
  const embedded = await embeddedBinDir(runAs, announce);
  const found: PostgresProgram[] = [];
  if (embedded !== undefined) {
    const program = await inspect('embedded', embedded, runAs);
    if (program) found.push(program);
  }
  for (const binDir of await systemBinDirs()) {
    const program = await inspect('system', binDir, runAs);
    if (program) found.push(program);
  }
  return found.filter((program) => program.majorVersion >= OLDEST_MAJOR_VERSION);
}

/** PATH first, then Debian's versioned folders and Homebrew's, the newest first. */
async function systemBinDirs(): Promise<readonly string[]> {
  const dirs = new Set<string>();
  const onPath = await findProgram('postgres');
  // Debian's programs find their libraries and templates relative to their real path, not to a link.
  if (onPath !== undefined) dirs.add(dirname(await realpath(onPath)));
  const debian = await readdir('/usr/lib/postgresql').catch(() => []);
  for (const version of debian.toSorted((a, b) => Number(b) - Number(a))) {
    dirs.add(join('/usr/lib/postgresql', version, 'bin'));
  }
  for (const prefix of ['/opt/homebrew/opt', '/usr/local/opt']) {
    const formulas = await readdir(prefix).catch(() => []);
    for (const formula of formulas
      .filter((name) => name.startsWith('postgresql'))
      .toSorted()
      .toReversed()) {
      dirs.add(join(prefix, formula, 'bin'));
    }
  }
  return [...dirs];
}

/** Runs the program once, to detect a wrong C library or missing libraries. */
async function inspect(
  origin: PostgresProgram['origin'],
  binDir: string,
  runAs: RunAs | undefined,
): Promise<PostgresProgram | undefined> {
  const [postgres, initdb] = [join(binDir, 'postgres'), join(binDir, 'initdb')];
  const [server, setup] = await Promise.all([
    runCommand(postgres, ['--version'], { runAs, timeoutMs: 10_000 }),
    runCommand(initdb, ['--version'], { runAs, timeoutMs: 10_000 }),
  ]);
  const version = /\(PostgreSQL\) (\d+)/.exec(server.stdout);
  if (!server.succeeded || !setup.succeeded || !version) return undefined;
  return { origin, postgres, initdb, majorVersion: Number(version[1]) };
}

function versionsOf(programs: readonly PostgresProgram[]): string {
  return programs.length === 0 ? 'none' : programs.map((program) => program.majorVersion).join(', ');
}
