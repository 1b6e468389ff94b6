import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeDataFolder, startPostgres } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';
import { installDebianPackages } from './debian-packages.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** A private server of the machine's own Postgres, with the programs that come with it. */
export interface DebianPostgres {
  /** Of an empty database. */
  readonly url: string;
  /** Brings the database to the newest migration. @returns the names of those that it lacked */
  migrate(): Promise<readonly string[]>;
  /** Writes the database at its URL into a file, with `pg_dump`. */
  dump(file: string): Promise<void>;
  /** Reads such a file into the database, with `pg_restore`. */
  restore(file: string): Promise<void>;
  close(): Promise<void>;
}

const VERSIONS = '/usr/lib/postgresql';
const run = promisify(execFile);

/** Installs Postgres on Debian if it is missing, and throws elsewhere. */
export async function debianPostgres(): Promise<DebianPostgres> {
  requireDebianPostgres(announce);
  const dir = await makeTemporaryDir();
  const server = await startPostgres({ serverDir: join(dir, 'postgres'), profile: 'fast', announce, from: 'system' });
  const program = (name: string) => join(server.binDir, name);
  return {
    url: server.url,
    migrate: async () => (await applyMigrations({ databaseUrl: server.url })).applied,
    async dump(file) {
      await run(program('pg_dump'), ['--format=custom', `--file=${file}`, server.url]);
    },
    async restore(file) {
      await run(program('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${server.url}`, file]);
    },
    async close() {
      await server.process.stop();
      await removeDataFolder(dir);
    },
  };
}

/** Installs Postgres on Debian if it is missing. @throws elsewhere */
export function requireDebianPostgres(say: (text: string) => void): void {
  if (isThere()) return;
  const advice =
    'The tests of backups and of standbys need Postgres with pg_dump and pg_basebackup: install it (Debian: apt-get install postgresql).';
  installDebianPackages({ packages: ['postgresql'], advice }, say);
  if (!isThere()) throw new Error(advice);
}

function isThere(): boolean {
  return existsSync(VERSIONS) && readdirSync(VERSIONS).some((version) => hasPrograms(version));
}

function hasPrograms(version: string): boolean {
  return ['postgres', 'pg_basebackup', 'pg_dump', 'pg_restore'].every((name) =>
    existsSync(join(VERSIONS, version, 'bin', name)),
  );
}

function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
