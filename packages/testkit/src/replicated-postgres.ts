import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeDataFolder, serverAccount, startPostgres, type PostgresServer } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';
import { Client } from 'pg';
import { requireDebianPostgres } from './debian-postgres.ts';
import { signalTree } from './process-tree.ts';
import { makeTemporaryDir } from './temporary-dir.ts';

/** A primary with a migrated database, and a standby that confirms each of its commits. */
export interface ReplicatedPostgres {
  /** Names both hosts. */
  readonly url: string;
  /** Of the primary that it began with. */
  readonly firstUrl: string;
  /** SIGKILL of the first primary. Resolves when it is gone. */
  killFirst(): Promise<void>;
  /** Makes the standby the primary. Resolves when it takes writes. */
  promote(): Promise<void>;
  /** The first primary again, beside the promoted one: it takes writes, and no standby has to confirm them. */
  startFirst(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** From Debian's Postgres, which it installs if it is missing: the one of the npm dependency has no `pg_basebackup`. */
export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  requireDebianPostgres(announce);
  const dir = await makeTemporaryDir();
  const firstDir = join(dir, 'first');
  const secondDir = join(dir, 'second');
  const start = (serverDir: string) => startPostgres({ serverDir, profile: 'fast', announce, from: 'system' });
  let first: PostgresServer | undefined = await start(firstDir);
  const firstUrl = first.url;
  await applyMigrations({ databaseUrl: firstUrl });
  await copyAsStandby(first, firstDir, secondDir);
  const second = await start(secondDir);
  await ask(firstUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`, RELOAD);
  await until(firstUrl, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
  const endFirst = async (how: 'stop' | 'kill') => {
    const server = first;
    first = undefined;
    if (how === 'stop') return server?.process.stop();
    if (server === undefined) throw new Error('the first primary has already ended');
    signalTree(server.process.pid, 'SIGKILL');
    await server.process.ended;
  };
  return {
    url: firstUrl.replace(/@([^/]+)\//, (_, host: string) => `@${host},${new URL(second.url).host}/`),
    firstUrl,
    killFirst: () => endFirst('kill'),
    promote: async () => void (await ask(second.url, 'SELECT pg_promote(true, 600)')),
    async startFirst() {
      first = await start(firstDir);
      await ask(firstUrl, 'ALTER SYSTEM RESET synchronous_standby_names', RELOAD);
      await until(firstUrl, `SELECT 1 WHERE current_setting('synchronous_standby_names') = ''`);
    },
    async close() {
      await Promise.all([endFirst('stop'), second.process.stop()]);
      await removeDataFolder(dir);
    },
  };
}

const RELOAD = 'SELECT pg_reload_conf()';

/** A copy that follows the original, with the same password. */
async function copyAsStandby(original: PostgresServer, originalDir: string, copyDir: string): Promise<void> {
  const account = await serverAccount(announce);
  await mkdir(copyDir, { mode: 0o711 });
  await copyFile(join(originalDir, 'password'), join(copyDir, 'password'));
  const cluster = join(copyDir, 'cluster');
  // Only root starts it as another account, which then needs a folder to write to.
  if (account) await chown(copyDir, account.uid, account.gid);
  const url = new URL(original.url);
  url.pathname = '/';
  const args = ['--pgdata', cluster, '--write-recovery-conf', '--checkpoint=fast', '--no-sync', '--dbname', url.href];
  await run(join(original.binDir, 'pg_basebackup'), args, { cwd: dirname(copyDir), ...account });
}

async function ask(url: string, ...statements: readonly string[]): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    let rowCount = 0;
    for (const statement of statements) rowCount = (await client.query(statement)).rowCount ?? 0;
    return rowCount;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Polls: Postgres notifies of neither of these. */
async function until(url: string, query: string): Promise<void> {
  while ((await ask(url, query)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}
