import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { egressEnv } from '@outdial/egress';
import {
  envInteger,
  EnvError,
  envLogLevel,
  envPoolSize,
  envPostgresUrl,
  parseEnv,
  redisEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { metricsHostEnv, metricsPortSchema } from '@outdial/metrics';
import { defaultPolicyEnv } from '@outdial/persistence';
import { recordingsEnv } from '@outdial/recordings';
import { parseSecretKey, type SecretKey, parseKeyPepper, type KeyPepper } from '@outdial/secrets';
import { tracesEnv } from '@outdial/traces';
import { z } from 'zod';
import { dashboardEnv, mailSettingsOf, trialOf } from './dashboard/env.ts';
import { limitsEnv } from './limits-env.ts';

/** Every environment variable that the API reads. */
export const apiEnv = {
  PORT: { schema: envInteger({ min: 0, max: 65_535 }).default(3_000), description: 'Port to listen on.' },
  HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address to listen on. 0.0.0.0 listens on every interface.',
  },
  OUTDIAL_SHUTDOWN_DELAY_SECONDS: {
    schema: envInteger({ min: 0, max: 300 }).default(0),
    description:
      'How long the API goes on accepting requests after SIGTERM while /readyz says `draining`, so that load balancers send them elsewhere.',
  },
  DATABASE_URL: { schema: envPostgresUrl, description: 'The Postgres database that stores the calls.' },
  ...redisEnv,
  OUTDIAL_DATA_DIR: {
    schema: z.string().default('.data'),
    description: 'Folder of the recordings, and of the key pepper if OUTDIAL_KEY_PEPPER is not set.',
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
    description:
      'Secret that API keys are hashed with, the same in every process. Create it with `openssl rand -hex 32`.',
  },
  ...limitsEnv,
  OUTDIAL_SECRET_KEY: {
    schema: z
      .string()
      .transform((text, context) => {
        const key = parseSecretKey(text);
        if (key === null) context.addIssue('must be at least 32 bytes in hexadecimal or base64');
        return key ?? z.NEVER;
      })
      .optional(),
    description:
      'Secret that trunk passwords, provider credentials, secrets of accounts and waiting e-mails are sealed with, the same in the API, the workers and admin.',
  },
  OUTDIAL_DATABASE_POOL: {
    schema: envPoolSize.default(10),
    description: 'Postgres connections for accepting calls. The API opens half as many again for reading.',
  },
  OUTDIAL_QUEUE_TTL_SECONDS: {
    schema: envInteger({ min: 1, max: 86_400 }).default(600),
    description: 'How long an accepted call may wait to be dialed before it ends as queue_expired.',
  },
  OUTDIAL_DASHBOARD_DIR: {
    schema: z.string().optional(),
    description: 'Folder of the built dashboard. Defaults to the output of `npm run build`.',
    chart: false,
  },
  OUTDIAL_DOCS_DIR: {
    schema: z.string().optional(),
    description: 'Folder of the built documentation. Default: the one that `npm run build` creates.',
    chart: false,
  },
  ...defaultPolicyEnv,
  ...egressEnv,
  ...dashboardEnv,
  METRICS_PORT: {
    schema: metricsPortSchema,
    description: 'Port of /metrics. Unset: no metrics. 0: any free port.',
  },
  ...metricsHostEnv,
  ...tracesEnv,
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Minimum level of log lines.' },
} as const satisfies EnvSpec;

type ApiEnv = Env<typeof apiEnv>;

export interface ApiConfig extends Omit<ApiEnv, 'OUTDIAL_KEY_PEPPER' | 'OUTDIAL_SECRET_KEY'> {
  readonly OUTDIAL_KEY_PEPPER: KeyPepper;
  /** Null: no key is configured, and nothing that must be sealed can be saved here. */
  readonly OUTDIAL_SECRET_KEY: SecretKey | null;
}

/** @throws EnvError that names each invalid variable. */
export async function readConfig(source: NodeJS.ProcessEnv): Promise<ApiConfig> {
  const env = parseEnv(apiEnv, source);
  mailSettingsOf(env);
  trialOf(env);
  return {
    ...env,
    OUTDIAL_KEY_PEPPER: env.OUTDIAL_KEY_PEPPER ?? (await storedPepper(env.OUTDIAL_DATA_DIR)),
    OUTDIAL_SECRET_KEY: env.OUTDIAL_SECRET_KEY ?? (await storedSecretKey(env.OUTDIAL_DATA_DIR)),
  };
}

/** An installation without SIP trunks has no secret key. The API starts without it. */
async function storedSecretKey(dataDir: string): Promise<SecretKey | null> {
  const path = join(dataDir, 'secret-key');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const key = parseSecretKey(text);
  if (key !== null) return key;
  throw new EnvError(`${path} is damaged: restore the old file, or set OUTDIAL_SECRET_KEY.`);
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
  throw new EnvError(`${path} is damaged: restore the old file, or set OUTDIAL_KEY_PEPPER.`);
}
