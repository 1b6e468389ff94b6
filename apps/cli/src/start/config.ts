import {
  envChoice,
  envInteger,
  envLogLevel,
  envPostgresUrl,
  envRedisUrl,
  parseEnv,
  sentinelEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { z } from 'zod';
import { DEFAULT_DATA_DIR } from '../instance/data-folder.ts';

/** What `npm start` reads itself. Each service gets the whole environment and reads its own settings. */
export const startEnv = {
  PORT: { schema: envInteger({ min: 1, max: 65_535 }).default(3_000), description: 'Port of the API.' },
  HOST: { schema: z.string().default('127.0.0.1'), description: 'Address that the API listens on.' },
  OUTDIAL_DATA_DIR: {
    schema: z.string().default(DEFAULT_DATA_DIR),
    description: 'Folder for recordings, keys and the data of the local stores.',
  },
  DATABASE_URL: {
    schema: envPostgresUrl.optional(),
    description: 'Your own Postgres instead of a local one.',
  },
  REDIS_URL: {
    schema: envRedisUrl.optional(),
    description: 'Your own Redis instead of a local one.',
  },
  ...sentinelEnv,
  OUTDIAL_CARRIER: {
    schema: envChoice(['simulated', 'sip']).default('sip'),
    description: 'Carrier of the calls; with `sip` the demo gets a telephone network to call.',
  },
  OUTDIAL_CALLEE_SIP_PORT: {
    schema: envInteger({ min: 1, max: 65_535 }).optional(),
    description: 'SIP port of the telephone network that the demo calls; 5080 or another free port if not set.',
  },
  OUTDIAL_MODELS_PORT: {
    schema: envInteger({ min: 1, max: 65_535 }).optional(),
    description: 'Port of the simulated providers of models; 5090 or another free port if not set.',
  },
  LOG_LEVEL: {
    schema: envLogLevel.default('warn'),
    description: 'Lowest log level that is shown.',
  },
  OUTDIAL_DRAIN_SECONDS: {
    schema: envInteger({ min: 0, max: 3_600 }).default(10),
    description: 'How long calls in progress may continue after Ctrl-C.',
  },
} as const satisfies EnvSpec;

export type StartConfig = Env<typeof startEnv>;

/** @throws EnvError that names each invalid variable. */
export function readStartConfig(env: NodeJS.ProcessEnv): StartConfig {
  return parseEnv(startEnv, env);
}

/** The URL at which a program on this machine reaches the API: a client cannot connect to a wildcard address. */
export function baseUrlOf(config: Pick<StartConfig, 'HOST' | 'PORT'>): string {
  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST === '::' ? '::1' : config.HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}/api/v1`;
}
