import { join } from 'node:path';
import {
  envChoice,
  envInteger,
  envLogLevel,
  envPoolSize,
  envPostgresUrl,
  envRedisUrl,
  parseEnv,
  type Env,
  type EnvSpec,
} from '@outdial/kernel';
import { metricsHostEnv, metricsPortSchema } from '@outdial/metrics';
import { recordingsEnv, retentionEnv } from '@outdial/recordings';
import { z } from 'zod';
import { ipv4Address, portRange, reachableAddress, secretKey } from './sip-settings.ts';

/** Every variable that a worker reads. */
export const workerEnv = {
  DATABASE_URL: { schema: envPostgresUrl, description: 'The Postgres that calls are kept in.' },
  REDIS_URL: { schema: envRedisUrl, description: 'The Redis of the admission gate and the queue.' },
  OUTDIAL_DATA_DIR: {
    schema: z.string().default('.data'),
    description: 'Folder of the recordings, and of the secret key where OUTDIAL_SECRET_KEY is not set.',
  },
  ...recordingsEnv,
  ...retentionEnv,
  OUTDIAL_CARRIER: {
    schema: envChoice(['simulated', 'sip']).default('simulated'),
    description:
      'Who carries the calls. `simulated`: a telephone network inside the worker, with the test numbers; `sip`: trunks.',
  },
  SIP_LISTEN_ADDRESS: {
    schema: ipv4Address.default('127.0.0.1'),
    description: 'With `sip`: IPv4 address of this machine to listen on for SIP and RTP; 0.0.0.0 for all.',
  },
  SIP_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).default(5_060),
    description: 'With `sip`: port for SIP, UDP and TCP alike; 0 takes any free one. Each worker needs its own.',
  },
  SIP_TLS_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).optional(),
    description: 'With a certificate: port for SIP over TLS, 5061 unless set; 0 takes any free one.',
  },
  SIP_TLS_CERT: {
    schema: z.string().optional(),
    description: 'With `sip`: PEM file of the certificate that carriers find at SIP_TLS_PORT, its chain after it.',
  },
  SIP_TLS_KEY: { schema: z.string().optional(), description: 'PEM file of its private key.' },
  SIP_PUBLIC_ADDRESS: {
    schema: reachableAddress.optional(),
    description: 'With `sip`: IPv4 address at which carriers reach SIP_LISTEN_ADDRESS, if it is another one.',
  },
  SIP_RTP_PORTS: {
    schema: z.string().default('20000-21999').pipe(portRange),
    description: 'With `sip`: first and last port of RTP, two for every call at once. Each worker needs its own.',
  },
  OUTDIAL_SOUND_LOG_SECONDS: {
    schema: envInteger({ min: 1, max: 3_600 }).default(60),
    description:
      'With `sip`: how often a line of the log tells of packets that were late or lost, while there are calls.',
  },
  OUTDIAL_SECRET_KEY: {
    schema: secretKey.optional(),
    description: 'With `sip`: secret that the passwords of trunks are encrypted with: `openssl rand -hex 32`.',
  },
  OUTDIAL_SIMULATED_SPEED: {
    schema: envInteger({ min: 1, max: 1_000 }).default(1),
    description: 'How many times faster than life the simulated network runs.',
  },
  OUTDIAL_SIMULATED_MEDIA: {
    schema: envChoice(['frames', 'off']).default('frames'),
    description: '`off`: simulated calls without sound, agent or recording, for load tests.',
  },
  OUTDIAL_SIMULATED_JOURNAL: {
    schema: z.string().optional(),
    description: 'File that the simulated network appends a JSON line to for every telephone reached and left.',
  },
  OUTDIAL_WORKER_CONCURRENCY: {
    schema: envInteger({ min: 1, max: 20_000 }).default(200),
    description: 'Calls that one worker has at once. Start more workers for more.',
  },
  OUTDIAL_DATABASE_POOL: {
    schema: envPoolSize.default(10),
    description: 'Postgres connections for driving calls; half as many more are opened for everything else.',
  },
  OUTDIAL_DRAIN_SECONDS: {
    schema: envInteger({ min: 0, max: 7_200 }).default(120),
    description: 'How long live calls may go on after SIGTERM before they are hung up.',
  },
  OUTDIAL_WORKER_HEALTH_PORT: {
    schema: envInteger({ min: 1, max: 65_535 }).optional(),
    description: 'Port on loopback for /healthz and /readyz; none unless set.',
  },
  WORKER_METRICS_PORT: {
    schema: metricsPortSchema,
    description: 'Port of /metrics; none unless set, 0 for any free one. Workers on one machine need one each.',
  },
  ...metricsHostEnv,
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Least serious log line that is written.' },
} as const satisfies EnvSpec;

export type WorkerConfig = Env<typeof workerEnv>;

/** @throws EnvError that names each variable that cannot be used. */
export function readConfig(source: NodeJS.ProcessEnv): WorkerConfig {
  return parseEnv(workerEnv, source);
}

export function recordingsDirOf({ OUTDIAL_DATA_DIR }: Pick<WorkerConfig, 'OUTDIAL_DATA_DIR'>): string {
  return join(OUTDIAL_DATA_DIR, 'recordings');
}
