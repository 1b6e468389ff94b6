import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { announceIfSlow, type Announce } from '../machine/announce.ts';
import { freePort, rememberedPort, rememberPort } from '../machine/free-port.ts';
import { logTail } from '../machine/server-log.ts';
import { endLeftover, startServer, type ServerProcess } from '../machine/server-process.ts';
import { errorCode, errorText, StoreSetupError } from '../machine/setup-error.ts';
import type { StoreProfile } from '../profile.ts';
import { damagedCluster, DATABASE_ROLE, ensureCluster, placeCluster, type ClusterPlace } from './cluster.ts';
import { clusterVersion, findPostgres, type PostgresProgram } from './find-postgres.ts';
import { serverAccount } from './server-account.ts';
import { postgresArgs } from './settings.ts';
import { endStrayPostmaster } from './stray-postmaster.ts';

export interface PostgresServerOptions {
  /** Absolute; contains the password, the log and, where the server's account can enter it, the data. */
  readonly serverDir: string;
  readonly profile: StoreProfile;
  readonly announce: Announce;
  readonly avoidPorts?: readonly number[] | undefined;
}

export interface PostgresServer {
  /** The URL of the database `outdial`, which exists. */
  readonly url: string;
  readonly origin: PostgresProgram['origin'];
  readonly process: ServerProcess;
  stop(): Promise<void>;
}

const DATABASE = 'outdial';
const START_ATTEMPTS = 5;
const CHILDREN_END_WITHIN_MS = 1_000;
// Crash recovery may take long; as long as the server lives, it is making progress.
const START_LIMIT_MS = 600_000;

/** Starts a private, password-protected Postgres on a port of 127.0.0.1. Resolves once it accepts queries. */
export async function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const { serverDir, profile, announce } = options;
  const runAs = await serverAccount(announce);
  const place = await placeCluster(serverDir, runAs, announce);
  await endLeftoverPostgres(serverDir);
  await endStrayPostmaster(place.clusterDir);
  const program = await findPostgres({ runAs, announce, dataVersion: await clusterVersion(place.clusterDir) });
  const password = await announceIfSlow(
    announce,
    'Setting up Postgres …',
    ensureCluster(place, program, profile, runAs),
  );
  for (let attempt = 1; ; attempt += 1) {
    const preferred = attempt === 1 ? await rememberedPort(serverDir) : undefined;
    const port = await freePort({ preferred, avoid: options.avoidPorts });
    const server = await startServer({
      command: program.postgres,
      args: postgresArgs(place.clusterDir, port, profile),
      runAs,
      logPath: logPath(serverDir),
      pidPath: pidPath(serverDir),
      // SIGINT is Postgres's fast shutdown: it closes connections and writes a checkpoint, so the next start needs no
      // recovery.
      stopSignal: 'SIGINT',
    });
    const url = (database: string) => `postgresql://${DATABASE_ROLE}:${password}@127.0.0.1:${port}/${database}`;
    if (await becomesReady(server, url('postgres'), place, announce)) {
      await ensureDatabase(url('postgres'));
      await rememberPort(serverDir, port);
      return { url: url(DATABASE), origin: program.origin, process: server, stop: () => server.stop() };
    }
    await server.stop();
    if (attempt === START_ATTEMPTS) throw startFailure(serverDir, place);
    if (saidLately(serverDir, CHILDREN_LEFT)) await sleep(CHILDREN_END_WITHIN_MS);
    else if (!saidLately(serverDir, PORT_LOST)) throw startFailure(serverDir, place);
  }
}

async function becomesReady(
  server: ServerProcess,
  url: string,
  place: ClusterPlace,
  announce: Announce,
): Promise<boolean> {
  try {
    return await announceIfSlow(announce, 'Waiting for Postgres to recover its data …', takesQueries(server, url));
  } catch (error) {
    await server.stop();
    if (errorCode(error) !== '28P01') {
      throw new StoreSetupError(
        `Postgres started but does not answer (${errorText(error)}): see its log beside ${place.passwordPath}.`,
        error,
      );
    }
    throw new StoreSetupError(
      `The password in ${place.passwordPath} is not the one that the local Postgres was set up with: restore the old file, or move ${place.clusterDir} away to start with an empty database.`,
      error,
    );
  }
}

/** True once it accepts queries, false when it has ended before. Throws errors that waiting does not fix. */
async function takesQueries(server: ServerProcess, url: string): Promise<boolean> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!server.hasEnded() && performance.now() < deadline) {
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return true;
    } catch (error) {
      // 57P03: the server is starting up or recovering.
      if (!['ECONNREFUSED', 'ECONNRESET', '57P03'].includes(errorCode(error) ?? '')) throw error;
      await sleep(20);
    }
  }
  return false;
}

async function ensureDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const PORT_LOST = 'could not bind';
/** Children of a killed server: they notice within moments, and end. */
const CHILDREN_LEFT = 'pre-existing shared memory block';

function saidLately(serverDir: string, text: string): boolean {
  return logTail(logPath(serverDir), 20).some((line) => line.includes(text));
}

function startFailure(serverDir: string, place: ClusterPlace): StoreSetupError {
  const lines = logTail(logPath(serverDir), 40);
  const fatal = lines.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ?? lines.at(-1) ?? 'no output';
  const reason = fatal.replace(/^.*\b(PANIC|FATAL):\s*/, '');
  if (/shared memory|semaphore|Cannot allocate|No space left|out of memory/i.test(reason)) {
    return new StoreSetupError(`Postgres could not start (${reason}): free some of it and try again.`);
  }
  return damagedCluster(place.clusterDir, reason);
}

/** Ends a server that outlived its owner in this folder, if there is one. */
export function endLeftoverPostgres(serverDir: string): Promise<void> {
  return endLeftover(pidPath(serverDir), 'SIGINT');
}

function logPath(serverDir: string): string {
  return join(serverDir, 'postgres.log');
}

function pidPath(serverDir: string): string {
  return join(serverDir, 'postgres.pid.json');
}
