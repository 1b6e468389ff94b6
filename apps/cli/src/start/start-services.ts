import { freePort, type LocalStores } from '@outdial/local-stores';
import type { KeyPepper, SecretKey } from '@outdial/secrets';
import { showStep } from '../terminal/step.ts';
import { answersOk } from './readiness.ts';
import { startService, stopServices } from './service.ts';
import { serviceEnv } from './service-env.ts';
import type { StartInput } from './start-input.ts';

/** What a worker may need beyond the drain: to hang up, settle, and close its stores. */
const SETTLE_MS = 15_000;

interface ServicesInput {
  /** Absolute. */
  readonly dataDir: string;
  readonly stores: LocalStores;
  readonly pepper: KeyPepper;
  readonly secretKey: SecretKey;
  readonly baseUrl: string;
  /** The SIP port of the worker; undefined leaves the user's setting. */
  readonly sipPort: number | undefined;
  readonly hasTestNumbers: boolean;
}

/** Starts the API and a worker. Resolves once both are ready. */
export async function startServices(input: StartInput, given: ServicesInput): Promise<void> {
  const { clock, config, stop, cleanup } = input;
  const healthPort = await freePort({ avoid: [config.PORT] });
  const env = serviceEnv(input, {
    databaseUrl: given.stores.databaseUrl,
    redisUrl: given.stores.redisUrl,
    dataDir: given.dataDir,
    keyPepper: given.pepper.toString('hex'),
    secretKey: given.secretKey.toString('hex'),
    workerHealthPort: healthPort,
    sipPort: given.sipPort,
    hasTestNumbers: given.hasTestNumbers,
  });
  const apiUrl = `${new URL(given.baseUrl).origin}/readyz`;
  const api = startService({ name: 'api', env, isReady: () => answersOk(apiUrl) }, input);
  const workerUrl = `http://127.0.0.1:${healthPort}/readyz`;
  const worker = startService({ name: 'worker', env, isReady: () => answersOk(workerUrl) }, input);
  const limitMs = config.OUTDIAL_DRAIN_SECONDS * 1_000 + SETTLE_MS;
  cleanup.add(() => stopServices([api, worker], { clock, forced: stop.forced, limitMs }));
  // Started together and awaited in turn: by the time the first is ready, the second usually is too.
  await showStep(input, 'API', async () => ({ result: await api.ready, detail: given.baseUrl }));
  const detail = `carrier ${config.OUTDIAL_CARRIER}`;
  await showStep(input, 'Worker', async () => ({ result: await worker.ready, detail }));
}
