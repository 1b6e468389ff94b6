import { z } from 'zod';
import type { EnvSpec } from './parse-env.ts';
import { envRedisUrl } from './values.ts';

/** Where Redis is, with what the Sentinels require. A plain text is the URL alone. */
export type RedisAccess =
  | string
  | {
      readonly url: string;
      readonly sentinelUsername?: string | undefined;
      readonly sentinelPassword?: string | undefined;
    };

/** The credentials of the Sentinels. They are never taken from the URL, which has those of Redis. */
export const sentinelEnv = {
  OUTDIAL_SENTINEL_USERNAME: {
    schema: z.string().optional(),
    description: 'With `redis+sentinel://`: the user of the Sentinels, if their access list has one for Outdial.',
  },
  OUTDIAL_SENTINEL_PASSWORD: {
    schema: z.string().optional(),
    description: 'With `redis+sentinel://`: the password of the Sentinels. That of Redis is part of REDIS_URL.',
  },
} as const satisfies EnvSpec;

/** The settings of every process that uses Redis. */
export const redisEnv = {
  REDIS_URL: {
    schema: envRedisUrl,
    description:
      'The Redis of the admission gate and the queue: `redis://`, `redis+sentinel://` or `redis+cluster://`, or with `rediss` over TLS.',
  },
  ...sentinelEnv,
} as const satisfies EnvSpec;

/** `REDIS_URL` and the credentials of Sentinels, as `connectForCommands` takes them. */
export function redisAccessOf(env: {
  readonly REDIS_URL: string;
  readonly OUTDIAL_SENTINEL_USERNAME?: string | undefined;
  readonly OUTDIAL_SENTINEL_PASSWORD?: string | undefined;
}): RedisAccess {
  return {
    url: env.REDIS_URL,
    sentinelUsername: env.OUTDIAL_SENTINEL_USERNAME,
    sentinelPassword: env.OUTDIAL_SENTINEL_PASSWORD,
  };
}
