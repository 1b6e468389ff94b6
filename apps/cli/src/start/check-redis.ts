import { parseRedisUrl, redisHosts, unreachable, type RedisAccess } from '@outdial/kernel';
import { checkRedis } from '@outdial/queue';
import { CliError, errorText } from '../cli-error.ts';

/** Checks a Redis of the user's own before anything waits for it. @throws CliError that says what is wrong. */
export async function assertRedisAnswers(access: RedisAccess): Promise<void> {
  const verdict = await checkRedis(access);
  switch (verdict.kind) {
    case 'usable':
      return;
    case 'unusable':
      throw new CliError(`REDIS_URL cannot be used: ${verdict.reason}.`);
    case 'away': {
      const hosts = redisHosts(parseRedisUrl(typeof access === 'string' ? access : access.url));
      throw new CliError(
        `Redis at ${hosts} does not answer (${errorText(verdict.cause)}): check REDIS_URL, or leave it out to use a local one.`,
        { cause: verdict.cause },
      );
    }
    default:
      unreachable(verdict);
  }
}

/** The host without credentials, which may be part of the URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'that address';
}
