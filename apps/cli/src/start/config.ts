import {
  envChoice,
  envInteger,
  envLogLevel,
  envPostgresUrl,
  envRedisUrl,
  parseEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { z } from 'zod';
import { DEFAULT_DATA_DIR } from '../instance/data-folder.ts';

/** What `npm start` reads itself. The services get the whole environment and read their own. */
export const startEnv = {
  PORT: { schema: envInteger({ min: 1, max: 65_535 }).default(3_000), description: 'Port of the API.' },
  HOST: { schema: z.string().default('127.0.0.1'), description: 'Address that the API listens on.' },
  OUTDIAL_DATA_DIR: {
    schema: z.string().default(DEFAULT_DATA_DIR),
    description: 'Folder for recordings, keys and the data of the local stores.',
  },
  DATABASE_URL: {
    schema: envPostgresUrl.optional(),
    description: 'A Postgres of your own, instead of a local one.',
  },
  REDIS_URL: {
    schema: envRedisUrl.optional(),
    description: 'A Redis of your own, instead of a local one.',
  },
  OUTDIAL_CARRIER: {
    schema: envChoice(['simulated', 'sip']).default('sip'),
    description: 'Who carries the calls; with `sip` the demo gets a telephone network to call.',
  },
  OUTDIAL_CALLEE_SIP_PORT: {
    schema: envInteger({ min: 1, max: 65_535 }).optional(),
    description: 'SIP port of the telephone network that the demo calls; 5080 or another free one if not set.',
  },
  LOG_LEVEL: {
    schema: envLogLevel.default('warn'),
    description: 'Least serious log line that is shown.',
  },
  OUTDIAL_DRAIN_SECONDS: {
    schema: envInteger({ min: 0, max: 3_600 }).default(10),
    description: 'How long calls in progress may go on after Ctrl-C.',
  },
} as const satisfies EnvSpec;

export type StartConfig = Env<typeof startEnv>;

/** @throws EnvError that names each variable that cannot be used. */
export function readStartConfig(env: NodeJS.ProcessEnv): StartConfig {
  return parseEnv(startEnv, env);
}

/** Where a program on this machine reaches the API: an address that stands for all of them is not one to connect to. */
export function baseUrlOf(config: Pick<StartConfig, 'HOST' | 'PORT'>): string {
  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST === '::' ? '::1' : config.HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}/api/v1`;
}
