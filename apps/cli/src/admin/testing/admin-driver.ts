import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createDatabase, type Database } from '@outdial/persistence';
import { testStores } from '@outdial/testkit';
import { z } from 'zod';
import { runAdmin } from '../run-admin.ts';

export const PEPPER_HEX = '5e'.repeat(32);
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

interface AdminResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the administration on its own stores, as from a shell. */
export interface AdminDriver {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly dataDir: string;
  run(
    args: readonly string[],
    given?: { readonly env?: NodeJS.ProcessEnv; readonly stdin?: string },
  ): Promise<AdminResult>;
  /** Runs a command that must succeed with an empty standard error, and returns its JSON output. */
  json(args: readonly string[], stdin?: string): Promise<unknown>;
  /** Returns the id. */
  createAccount(...flags: readonly string[]): Promise<string>;
  /** The actor of the first change to this subject. */
  actorOf(subjectId: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openAdminDriver(): Promise<AdminDriver> {
  const stores = await testStores();
  // The test's own connection. Its timeouts are long because tests share the machine.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-admin-'));

  const run: AdminDriver['run'] = async (args, given = {}) => {
    const written = { stdout: '', stderr: '' };
    const env = {
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      OUTDIAL_KEY_PEPPER: PEPPER_HEX,
      OUTDIAL_DEFAULT_POLICY: 'open',
      OUTDIAL_DATA_DIR: dataDir,
      ...given.env,
    };
    const exitCode = await runAdmin(args, {
      env,
      stdin: Readable.from([Buffer.from(given.stdin ?? '')]),
      stdout: { write: (text) => void (written.stdout += text) },
      stderr: { write: (text) => void (written.stderr += text) },
    });
    return { exitCode, ...written };
  };

  const json: AdminDriver['json'] = async (args, stdin) => {
    const { exitCode, stdout, stderr } = await run([...args, '--json'], stdin === undefined ? {} : { stdin });
    if (exitCode !== 0 || stderr !== '') throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  };

  return {
    database,
    databaseUrl: stores.databaseUrl,
    redisUrl: stores.redisUrl,
    dataDir,
    run,
    json,
    async createAccount(...flags) {
      return createdAccount.parse(await json(['accounts', 'create', '--name', 'Acme', ...flags])).account.id;
    },
    async actorOf(subjectId) {
      return (await database.side.auditEntry.findFirst({ where: { subjectId }, orderBy: { id: 'asc' } }))?.actor;
    },
    async close() {
      await database.close();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const withId = z.object({ id: z.string() });
const createdAccount = z.object({ account: withId });
