import { parsePostgresUrl, parseRedisUrl, redisAccessOf, RedisUrlError, type RedisAccess } from '@outdial/kernel';
import { CliError } from '../cli-error.ts';
import { DEFAULT_DATA_DIR, dataFolderAt, type DataFolder } from '../instance/data-folder.ts';
import { readInstance } from '../instance/instance-file.ts';

/** Where the administered product keeps its data. */
export interface StoreAddress {
  readonly databaseUrl: string;
  readonly redis: RedisAccess | undefined;
  readonly dataFolder: DataFolder;
}

/**
 * Reads DATABASE_URL and REDIS_URL, otherwise the record of the instance that `npm start` runs on this machine. Both
 * come from the same place: the database of one product with the Redis of another would refresh the wrong gate.
 */
export async function findStores(env: NodeJS.ProcessEnv): Promise<StoreAddress> {
  const dataFolder = dataFolderAt(env['OUTDIAL_DATA_DIR'] || DEFAULT_DATA_DIR);
  const databaseUrl = env['DATABASE_URL'];
  const redisUrl = env['REDIS_URL'] || undefined;
  if (databaseUrl) {
    const parsed = parsePostgresUrl(databaseUrl);
    if ('problem' in parsed) throw new CliError(`DATABASE_URL cannot be used: ${parsed.problem}.`);
    return { databaseUrl, redis: redisUrl === undefined ? undefined : accessOf(redisUrl, env), dataFolder };
  }
  if (redisUrl !== undefined) {
    throw new CliError(
      'REDIS_URL is set but DATABASE_URL is not: set both, or neither to use the running `npm start`.',
    );
  }
  const instance = await readInstance(dataFolder.instancePath);
  if (instance) return { databaseUrl: instance.database_url, redis: accessOf(instance.redis_url, env), dataFolder };
  throw new CliError(
    `Outdial is not running from ${dataFolder.path}: run \`npm start\` first, or set DATABASE_URL and REDIS_URL.`,
  );
}

/** The record of an instance has the URL alone: the Sentinels' password stays in the environment. */
function accessOf(url: string, env: NodeJS.ProcessEnv): RedisAccess {
  try {
    parseRedisUrl(url);
  } catch (error) {
    if (error instanceof RedisUrlError) throw new CliError(`REDIS_URL cannot be used: ${error.message}.`);
    throw error;
  }
  return redisAccessOf({
    REDIS_URL: url,
    OUTDIAL_SENTINEL_USERNAME: env['OUTDIAL_SENTINEL_USERNAME'] || undefined,
    OUTDIAL_SENTINEL_PASSWORD: env['OUTDIAL_SENTINEL_PASSWORD'] || undefined,
  });
}
