import { join } from 'node:path';
import { egressEnv } from '@outdial/egress';
import {
  envChoice,
  envInteger,
  envLogLevel,
  envPoolSize,
  envPostgresUrl,
  parseEnv,
  redisEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { metricsHostEnv, metricsPortSchema } from '@outdial/metrics';
import { recordingsEnv, retentionEnv } from '@outdial/recordings';
import { tracesEnv } from '@outdial/traces';
import { z } from 'zod';
import { MEDIA_PRIORITIES } from './media-priority.ts';
import { envWorkerRoles, WORKER_ROLES } from './roles.ts';
import { ipv4Address, portRange, reachableAddress, secretKey } from './sip-settings.ts';

/** Every environment variable that a worker reads. */
export const workerEnv = {
  DATABASE_URL: { schema: envPostgresUrl, description: 'The Postgres database that stores the calls.' },
  ...redisEnv,
  OUTDIAL_DATA_DIR: {
    schema: z.string().default('.data'),
    description: 'Folder of the recordings, and of the secret key if OUTDIAL_SECRET_KEY is not set.',
  },
  ...recordingsEnv,
  ...retentionEnv,
  ...egressEnv,
  OUTDIAL_WORKER_ROLES: {
    schema: envWorkerRoles.prefault(WORKER_ROLES.join(',')),
    description:
      'What this worker does, separated by commas: `calls`, `analysis` (of ended calls, and conversations in text), `webhooks`, `campaigns` (admits scheduled calls to the queue). Unset: all.',
  },
  OUTDIAL_WEBHOOK_CONCURRENCY: {
    schema: envInteger({ min: 1, max: 10_000 }).default(400),
    description: 'Webhooks that one worker sends at once.',
  },
  OUTDIAL_WEBHOOK_RETENTION_DAYS: {
    schema: envInteger({ min: 1, max: 365 }).default(14),
    description: 'Days after which sent webhooks are deleted, with their deliveries and attempts.',
  },
  OUTDIAL_CARRIER: {
    schema: envChoice(['simulated', 'sip']).default('simulated'),
    description:
      'The carrier. `simulated`: a telephone network inside the worker, with the test numbers. `sip`: SIP trunks.',
  },
  SIP_LISTEN_ADDRESS: {
    schema: ipv4Address.default('127.0.0.1'),
    description: 'With `sip`: IPv4 address to listen on for SIP and RTP. 0.0.0.0 listens on every interface.',
  },
  SIP_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).default(5_060),
    description: 'With `sip`: port for SIP over UDP and TCP. 0: any free port. Each worker needs its own.',
  },
  SIP_TLS_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).optional(),
    description: 'With a certificate: port for SIP over TLS. Default 5061. 0: any free port.',
  },
  SIP_TLS_CERT: {
    schema: z.string().optional(),
    description: 'With `sip`: PEM file of the certificate for SIP_TLS_PORT, followed by its chain.',
  },
  SIP_TLS_KEY: { schema: z.string().optional(), description: 'PEM file of the private key of SIP_TLS_CERT.' },
  SIP_PUBLIC_ADDRESS: {
    schema: reachableAddress.optional(),
    description:
      'With `sip`: IPv4 address at which carriers reach this machine, if it differs from SIP_LISTEN_ADDRESS.',
  },
  SIP_RTP_PORTS: {
    schema: z.string().default('20000-21999').pipe(portRange),
    description: 'With `sip`: first and last RTP port, two per concurrent call. Each worker needs its own range.',
  },
  OUTDIAL_MEDIA_PRIORITY: {
    schema: envChoice(MEDIA_PRIORITIES).default('raised'),
    description:
      'With `sip`: the priority that the thread of the sound takes, as far as the system permits it: `raised`, `real_time` (Linux) or `normal`.',
    chart: false,
  },
  OUTDIAL_SOUND_LOG_SECONDS: {
    schema: envInteger({ min: 1, max: 3_600 }).default(60),
    description: 'With `sip`: how often the worker logs late and lost packets while there are calls.',
  },
  OUTDIAL_SECRET_KEY: {
    schema: secretKey.optional(),
    description:
      'Secret that trunk passwords and the secrets of webhooks are encrypted with. Create it with `openssl rand -hex 32`.',
  },
  OUTDIAL_SIMULATED_SPEED: {
    schema: envInteger({ min: 1, max: 1_000 }).default(1),
    description: 'Speed of the simulated network, as a multiple of real time.',
    chart: false,
  },
  OUTDIAL_SIMULATED_MEDIA: {
    schema: envChoice(['frames', 'off']).default('frames'),
    description: '`off`: simulated calls have no sound, agent or recording, for load tests.',
    chart: false,
  },
  OUTDIAL_SIMULATED_JOURNAL: {
    schema: z.string().optional(),
    description: 'File to which the simulated network appends a JSON line for each call that it receives and ends.',
    chart: false,
  },
  OUTDIAL_WORKER_CONCURRENCY: {
    schema: envInteger({ min: 1, max: 20_000 }).default(200),
    description: 'Concurrent calls of one worker. Start more workers for more.',
  },
  OUTDIAL_DATABASE_POOL: {
    schema: envPoolSize.default(10),
    description: 'Postgres connections for driving calls. The worker opens half as many again for everything else.',
  },
  OUTDIAL_DRAIN_SECONDS: {
    schema: envInteger({ min: 0, max: 7_200 }).default(120),
    description: 'How long live calls may continue after SIGTERM before the worker hangs up.',
  },
  OUTDIAL_UPLOAD_SECONDS: {
    schema: envInteger({ min: 0, max: 3_600 }).default(60),
    description:
      'How long a worker that stops uploads recordings after its last call. What is left stays in its folder.',
  },
  OUTDIAL_WORKER_HEALTH_HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address of OUTDIAL_WORKER_HEALTH_PORT. 0.0.0.0 listens on every interface.',
  },
  OUTDIAL_WORKER_HEALTH_PORT: {
    schema: envInteger({ min: 1, max: 65_535 }).optional(),
    description: 'Port of /healthz and /readyz. Unset: none.',
  },
  WORKER_METRICS_PORT: {
    schema: metricsPortSchema,
    description: 'Port of /metrics. Unset: no metrics. 0: any free port. Each worker on a machine needs its own.',
  },
  ...metricsHostEnv,
  ...tracesEnv,
  OUTDIAL_MODEL_LOG: {
    schema: envChoice(['off', 'shapes']).default('off'),
    description:
      '`shapes`: log the messages of conversations with models, as names of events and fields and lengths of texts. Never sound, text, numbers or keys.',
  },
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Minimum level of log lines.' },
} as const satisfies EnvSpec;

export type WorkerConfig = Env<typeof workerEnv>;

/** @throws EnvError that names each invalid variable. */
export function readConfig(source: NodeJS.ProcessEnv): WorkerConfig {
  return parseEnv(workerEnv, source);
}

export function recordingsDirOf({ OUTDIAL_DATA_DIR }: Pick<WorkerConfig, 'OUTDIAL_DATA_DIR'>): string {
  return join(OUTDIAL_DATA_DIR, 'recordings');
}
