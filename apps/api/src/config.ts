import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseKeyPepper, type KeyPepper } from '@outdial/calls';
import {
  envInteger,
  EnvError,
  envLogLevel,
  envPoolSize,
  envPostgresUrl,
  envRedisUrl,
  parseEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { metricsHostEnv, metricsPortSchema } from '@outdial/metrics';
import { recordingsEnv } from '@outdial/recordings';
import { z } from 'zod';
import { dashboardEnv, mailSettingsOf, trialOf } from './dashboard/env.ts';

/** Every variable that the API reads. */
const apiEnv = {
  PORT: { schema: envInteger({ min: 0, max: 65_535 }).default(3_000), description: 'Port to listen on.' },
  HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address to listen on; 0.0.0.0 for all of this machine.',
  },
  DATABASE_URL: { schema: envPostgresUrl, description: 'The Postgres that calls are kept in.' },
  REDIS_URL: { schema: envRedisUrl, description: 'The Redis of the admission gate and the queue.' },
  OUTDIAL_DATA_DIR: {
    schema: z.string().default('.data'),
    description: 'Folder of the recordings, and of the key pepper where OUTDIAL_KEY_PEPPER is not set.',
  },
  ...recordingsEnv,
  OUTDIAL_KEY_PEPPER: {
    schema: z
      .string()
      .transform((text, context) => {
        const pepper = parseKeyPepper(text);
        if (pepper === null) context.addIssue('must be at least 32 bytes in hexadecimal or base64');
        return pepper ?? z.NEVER;
      })
      .optional(),
    description: 'Secret that API keys are hashed with, the same for every process: `openssl rand -hex 32`.',
  },
  OUTDIAL_KEY_REQUESTS_PER_SECOND: {
    schema: envInteger({ min: 1, max: 1_000_000 }).default(100),
    description: 'Requests that an API key may send in a second, unless the key has a limit of its own.',
  },
  OUTDIAL_KEY_STREAMS: {
    schema: envInteger({ min: 1, max: 100_000 }).default(100),
    description: 'Event streams that an API key may hold open with one process.',
  },
  OUTDIAL_DATABASE_POOL: {
    schema: envPoolSize.default(10),
    description: 'Postgres connections for accepting calls; half as many more are opened for reading.',
  },
  OUTDIAL_QUEUE_TTL_SECONDS: {
    schema: envInteger({ min: 1, max: 86_400 }).default(600),
    description: 'How long an accepted call may wait to be dialled before it ends as queue_expired.',
  },
  OUTDIAL_DASHBOARD_DIR: {
    schema: z.string().optional(),
    description: 'Folder of the built dashboard; without it the one that `npm run build` makes.',
  },
  ...dashboardEnv,
  METRICS_PORT: {
    schema: metricsPortSchema,
    description: 'Port of /metrics; none unless set, 0 for any free one.',
  },
  ...metricsHostEnv,
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Least serious log line that is written.' },
} as const satisfies EnvSpec;

type ApiEnv = Env<typeof apiEnv>;

export interface ApiConfig extends Omit<ApiEnv, 'OUTDIAL_KEY_PEPPER'> {
  readonly OUTDIAL_KEY_PEPPER: KeyPepper;
}

/** @throws EnvError that names each variable that cannot be used. */
export async function readConfig(source: NodeJS.ProcessEnv): Promise<ApiConfig> {
  const env = parseEnv(apiEnv, source);
  mailSettingsOf(env);
  trialOf(env);
  return { ...env, OUTDIAL_KEY_PEPPER: env.OUTDIAL_KEY_PEPPER ?? (await storedPepper(env.OUTDIAL_DATA_DIR)) };
}

async function storedPepper(dataDir: string): Promise<KeyPepper> {
  const path = join(dataDir, 'key-pepper');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new EnvError(
      `OUTDIAL_KEY_PEPPER is not set, and ${path} cannot be read: set it to the secret that the API keys were made with.`,
    );
  }
  const pepper = parseKeyPepper(text);
  if (pepper) return pepper;
  throw new EnvError(`${path} is damaged: put the old file back, or set OUTDIAL_KEY_PEPPER.`);
}
