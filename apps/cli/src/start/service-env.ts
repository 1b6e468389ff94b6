import { isLoopback, LOOPBACK } from './loopback.ts';
import type { StartInput } from './start-input.ts';

/** The addresses and secrets of an instance that its services need. */
export interface ServicePlaces {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly dataDir: string;
  /** Hexadecimal. */
  readonly keyPepper: string;
  /** Hexadecimal. */
  readonly secretKey: string;
  readonly workerHealthPort: number;
  /** Undefined leaves the user's setting. */
  readonly sipPort: number | undefined;
  /** Whether test numbers can be called: the telephone network is the simulated one, in the worker or beside it. */
  readonly hasTestNumbers: boolean;
}

/** What a new account may spend on test calls: enough for hours at the demo's prices. */
const TRIAL_CREDIT = '5.00';

/** Where the simulated providers, the tool of the demo's agents, and receivers of webhooks on this machine are. */
const LOOPBACK_NETWORK = '127.0.0.0/8';

/**
 * Where tools of agents and webhooks may lead beside the internet; undefined: nowhere. The demo's models and receivers that
 * a user tries webhooks with need this machine, and the setting holds for all accounts: it is given by itself only while no
 * other machine reaches the API.
 */
export function egressAllowOf({ config, env }: Pick<StartInput, 'config' | 'env'>): string | undefined {
  return env['OUTDIAL_EGRESS_ALLOW'] ?? (isLoopback(config.HOST) ? LOOPBACK_NETWORK : undefined);
}

/** As the services read a flag. */
const isYes = (text: string) => text === 'true' || text === '1';

/** The environment of the services: the user's, with the addresses of this instance filled in. */
export function serviceEnv({ config, env }: Pick<StartInput, 'config' | 'env'>, places: ServicePlaces) {
  const egressAllow = egressAllowOf({ config, env });
  const testNumbers = env['OUTDIAL_TEST_NUMBERS'] || String(places.hasTestNumbers);
  return {
    ...env,
    PORT: String(config.PORT),
    HOST: config.HOST,
    DATABASE_URL: places.databaseUrl,
    REDIS_URL: places.redisUrl,
    OUTDIAL_DATA_DIR: places.dataDir,
    OUTDIAL_KEY_PEPPER: places.keyPepper,
    OUTDIAL_SECRET_KEY: places.secretKey,
    // A user who tries Outdial calls test numbers, at any hour.
    OUTDIAL_DEFAULT_POLICY: env['OUTDIAL_DEFAULT_POLICY'] || 'open',
    OUTDIAL_CARRIER: config.OUTDIAL_CARRIER,
    // A user with their own trunk may turn the test numbers off.
    OUTDIAL_TEST_NUMBERS: testNumbers,
    OUTDIAL_TRIAL_CREDIT: env['OUTDIAL_TRIAL_CREDIT'] || (isYes(testNumbers) ? TRIAL_CREDIT : '0'),
    ...(egressAllow === undefined ? {} : { OUTDIAL_EGRESS_ALLOW: egressAllow }),
    ...(places.sipPort === undefined ? {} : { SIP_PORT: String(places.sipPort) }),
    OUTDIAL_DRAIN_SECONDS: String(config.OUTDIAL_DRAIN_SECONDS),
    OUTDIAL_WORKER_HEALTH_PORT: String(places.workerHealthPort),
    LOG_LEVEL: config.LOG_LEVEL,
  } satisfies NodeJS.ProcessEnv;
}

/** The simulated providers read their other settings from the user's environment. */
export function modelsEnv({ config, env }: Pick<StartInput, 'config' | 'env'>, port: number) {
  return {
    ...env,
    OUTDIAL_MODELS_HOST: LOOPBACK,
    OUTDIAL_MODELS_PORT: String(port),
    LOG_LEVEL: config.LOG_LEVEL,
  } satisfies NodeJS.ProcessEnv;
}

/**
 * The callee reads its other settings from the user's environment. The trunk has no password, since it is on
 * loopback.
 */
export function calleeEnv(
  { config, env }: Pick<StartInput, 'config' | 'env'>,
  listening: { readonly address: string; readonly port: number },
) {
  return {
    ...env,
    OUTDIAL_CALLEE_ADDRESS: listening.address,
    OUTDIAL_CALLEE_SIP_PORT: String(listening.port),
    OUTDIAL_CALLEE_USER: '',
    OUTDIAL_CALLEE_PASSWORD: '',
    LOG_LEVEL: config.LOG_LEVEL,
  } satisfies NodeJS.ProcessEnv;
}
