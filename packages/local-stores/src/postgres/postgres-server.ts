import { readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Client } from 'pg';

import { launchStore, storeLogPath, storeRecordPath } from '../launch-store.ts';
import type { Announce } from '../machine/announce.ts';
import { identifyProcess, programOf, workingDirOf } from '../machine/process-record.ts';
import { endLeftover, type ServerProcess } from '../machine/server.ts';
import { errorCode, errorText, StoreSetupError } from '../machine/setup-error.ts';
import type { StoreProfile } from '../profile.ts';
import { DATABASE_ROLE, ensureCluster, placeCluster, type ClusterPlace } from './cluster.ts';
import { clusterVersion, findPostgres, type PostgresProgram } from './find-postgres.ts';
import { serverAccount } from './server-account.ts';
import { startFailure } from './start-failure.ts';

export interface PostgresServerOptions {
  /** Absolute; contains the password, the log and, where the server's account can enter it, the data. */
  readonly serverDir: string;
  readonly profile: StoreProfile;
  readonly announce: Announce;
  readonly avoidPorts?: readonly number[] | undefined;
  /** Which Postgres; default: any. */
  readonly from?: PostgresProgram['origin'] | undefined;
}

export interface PostgresServer {
  /** The URL of the database `outdial`, which exists. */
  readonly url: string;
  readonly origin: PostgresProgram['origin'];
  /** The folder of its programs. */
  readonly binDir: string;
  readonly process: ServerProcess;
}

const NAME = 'Postgres';
const DATABASE = 'outdial';
/** The second is of the children of a killed server: they notice within moments, and end. */
const PASSING = /could not bind|pre-existing shared memory block/;

/** Starts a private, password-protected Postgres on a port of 127.0.0.1. Resolves once it accepts queries. */
export async function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const { serverDir, profile, announce } = options;
  const runAs = await serverAccount(announce);
  const place = await placeCluster(serverDir, runAs, announce);
  await endLeftoverPostgres(serverDir);
  await removeReusedPid(place.clusterDir);
  const program = await findPostgres({
    runAs,
    announce,
    dataVersion: await clusterVersion(place.clusterDir),
    origin: options.from,
  });
  const password = await ensureCluster(place, program, profile, runAs);
  const url = (port: number, database: string) =>
    `postgresql://${DATABASE_ROLE}:${password}@127.0.0.1:${port}/${database}`;
  const { port, process } = await launchStore({
    ...options,
    name: NAME,
    command: program.postgres,
    args: (port) => ['-D', place.clusterDir, ...settings(port, profile)],
    runAs,
    // SIGINT is Postgres's fast shutdown: it closes connections and writes a checkpoint, so the next start needs no
    // recovery.
    stopSignal: 'SIGINT',
    isReady: (port) => takesQueries(url(port, 'postgres'), serverDir, place),
    passing: PASSING,
    failure: (log) => startFailure(place.clusterDir, log),
  });
  return { url: url(port, DATABASE), origin: program.origin, binDir: dirname(program.postgres), process };
}

/** Ends a server that outlived its owner in this folder, if there is one. */
export function endLeftoverPostgres(serverDir: string): Promise<void> {
  return endLeftover(storeRecordPath({ name: NAME, serverDir }), 'SIGINT');
}

/**
 * A killed Postgres leaves `postmaster.pid` behind, and Postgres does not start while any process has the pid in it.
 * The file goes when an unrelated process has that pid. It stays for a dead server, since Postgres uses it to detect
 * children that still write, and for a Postgres that the user started there: ours then refuses to start. A Postgres
 * works in its data folder, which distinguishes that one from any other of this machine.
 */
async function removeReusedPid(clusterDir: string): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid) || !identifyProcess(pid)) return;
  const isPostgres = programOf(pid)?.endsWith('postgres') === true;
  const folder = workingDirOf(pid);
  // A folder that is not known may be this one.
  if (isPostgres && (folder === undefined || folder === (await realpath(clusterDir)))) return;
  await rm(pidFile, { force: true });
}

/** For the command line, where settings override the data folder's own files. */
function settings(port: number, profile: StoreProfile): readonly string[] {
  // synchronous_commit stays on: without it a killed server loses commits that it has confirmed, even while the
  // machine stays up.
  const flush = profile === 'fast' ? 'off' : 'on';
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket files: their default folder often belongs to another account.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: flush,
    full_page_writes: flush,
    synchronous_commit: 'on',
    max_connections: profile === 'fast' ? '300' : '100',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Creates the database `outdial` with the first query that Postgres takes. */
async function takesQueries(url: string, serverDir: string, place: ClusterPlace): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // 57P03: the server is starting up or recovering.
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03') return false;
    throw new StoreSetupError(
      code === '28P01'
        ? `The password in ${place.passwordPath} is not the one that the local Postgres was set up with: restore the old file, or move ${place.clusterDir} away to start with an empty database.`
        : `Postgres started but does not answer (${errorText(error)}): see ${storeLogPath({ name: NAME, serverDir })}.`,
      error,
    );
  } finally {
    await client.end().catch(() => {});
  }
}
