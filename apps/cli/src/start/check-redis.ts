import { Redis } from 'ioredis';
import { CliError, errorText } from '../cli-error.ts';

const CONNECT_LIMIT_MS = 3_000;

/** Checks a Redis of the user's own before anything waits for it. @throws CliError that says what is wrong. */
export async function assertRedisAnswers(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_LIMIT_MS,
    commandTimeout: CONNECT_LIMIT_MS,
    retryStrategy: () => null,
  });
  // The rejection below says only that the connection is closed; this event carries the cause.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason ??= error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new CliError(
      `Redis at ${hostOf(redisUrl)} does not answer (${errorText(reason ?? error)}): check REDIS_URL, or leave it out to use a local one.`,
      { cause: error },
    );
  } finally {
    redis.disconnect();
  }
}

/** The host without credentials, which may be part of the URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'that address';
}
