import { join } from 'node:path';
import type { KeyPepper, SecretKey } from '@outdial/secrets';
import { formatDecimal } from '@outdial/contracts';
import { parsePostgresUrl, redisAccessOf } from '@outdial/kernel';
import { openStores, type ClaimedFolder, type LocalStores } from '@outdial/local-stores';
import { applyMigrations, MigrationError, type AppliedMigrations } from '@outdial/migrations';
import { CliError, errorText } from '../cli-error.ts';
import type { DataFolder } from '../instance/data-folder.ts';
import { showStep } from '../terminal/step.ts';
import { assertRedisAnswers, hostOf } from './check-redis.ts';
import { seedDemo, type SeededDemo } from './seed-demo.ts';
import type { Output, StartInput } from './start-input.ts';
import { withDatabase } from './with-database.ts';

const REDIS_ORIGINS = {
  given: 'yours (REDIS_URL)',
  path: 'redis-server on this machine',
  installed: 'just installed',
} as const satisfies Record<LocalStores['origin']['redis'], string>;

const POSTGRES_ORIGINS = {
  given: 'yours (DATABASE_URL)',
  embedded: 'from the dependencies',
  system: 'on this machine',
} as const satisfies Record<LocalStores['origin']['postgres'], string>;

export async function storesStep(
  output: Output & Pick<StartInput, 'config' | 'stop'>,
  claim: ClaimedFolder,
  avoidPorts: readonly number[],
): Promise<LocalStores> {
  const { terminal, config, stop } = output;
  // A set-up in progress, which may be a download, is finished first, so that the next start finds it complete.
  const notice = 'Stopping once the stores are set up; press Ctrl-C again to stop now.';
  const opened = new AbortController();
  const printNotice = () => terminal.print(`  ${terminal.paint.quiet(notice)}`);
  stop.requested.addEventListener('abort', printNotice, { signal: opened.signal });
  const work = async () => {
    const { REDIS_URL } = config;
    if (REDIS_URL !== undefined) await assertRedisAnswers(redisAccessOf({ ...config, REDIS_URL }));
    const stores = await openStores({
      dataDir: claim.path,
      claim,
      profile: 'durable',
      redisUrl: config.REDIS_URL,
      databaseUrl: config.DATABASE_URL,
      // Known to be free, and reserved for the services that start later.
      avoidPorts,
      announce: (text) => terminal.print(`  ${terminal.paint.accent('·')} ${terminal.paint.quiet(text)}`),
    });
    const { redis, postgres } = stores.origin;
    return { result: stores, detail: `Redis ${REDIS_ORIGINS[redis]}, Postgres ${POSTGRES_ORIGINS[postgres]}` };
  };
  return showStep(output, 'Stores', work).finally(() => opened.abort());
}

export async function migrateStep(output: Output, databaseUrl: string): Promise<void> {
  await showStep(output, 'Database', async () => {
    const { applied } = await migrate(databaseUrl);
    const count = applied.length === 1 ? '1 migration' : `${applied.length} migrations`;
    return { result: undefined, detail: applied.length === 0 ? 'up to date' : `${count} applied` };
  });
}

async function migrate(databaseUrl: string): Promise<AppliedMigrations> {
  try {
    return await applyMigrations({ databaseUrl });
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new CliError(
      `Postgres at ${hostsOf(databaseUrl)} cannot be used (${errorText(error)}): check DATABASE_URL, or leave it out to use a local one.`,
      { cause: error },
    );
  }
}

function hostsOf(databaseUrl: string): string {
  const parsed = parsePostgresUrl(databaseUrl);
  return 'problem' in parsed ? hostOf(databaseUrl) : parsed.hosts.map(({ url }) => hostOf(url)).join(' or ');
}

export async function demoStep(
  output: Output,
  input: {
    readonly databaseUrl: string;
    readonly pepper: KeyPepper;
    readonly secretKey: SecretKey;
    readonly baseUrl: string;
    readonly modelsUrl: string;
    readonly folder: DataFolder;
  },
): Promise<SeededDemo> {
  const { databaseUrl, folder, ...rest } = input;
  return showStep(output, 'Demo account', async () => {
    const { demoPath } = folder;
    const seeded = await withDatabase(databaseUrl, (database) => seedDemo({ ...rest, database, demoPath }));
    const { wallet, demo } = seeded;
    const funds = `${formatDecimal(wallet.availableMicros)} ${wallet.currency}`;
    return { result: seeded, detail: `${funds}, three agents, calls from ${demo.from_number}` };
  });
}

/** Where the API and the worker keep recordings; both derive it from the data folder. */
export function recordingsDirOf(folder: DataFolder): string {
  return join(folder.path, 'recordings');
}
