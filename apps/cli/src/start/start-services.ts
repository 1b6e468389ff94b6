import { freePort, type LocalStores } from '@outdial/local-stores';
import type { SecretKey, KeyPepper } from '@outdial/secrets';
import type { DataFolder } from '../instance/data-folder.ts';
import { showStep } from '../terminal/step.ts';
import { presenceAt } from './readiness.ts';
import { serviceEnv } from './service-env.ts';
import { launchService, stopServices, type LaunchedService } from './services.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';

/** What a worker may need beyond the drain: to hang up, settle, and close its stores. */
const SETTLE_MS = 15_000;

interface ServicesInput {
  readonly folder: DataFolder;
  readonly stores: LocalStores;
  readonly pepper: KeyPepper;
  /** Set for a worker over SIP. */
  readonly secretKey: SecretKey | undefined;
  readonly baseUrl: string;
  /** The SIP port of the worker; undefined leaves the user's setting. */
  readonly sipPort: number | undefined;
  readonly hasTestNumbers: boolean;
}

/** Undefined after a stop request. */
export async function startServices(
  input: StartInput,
  given: ServicesInput,
): Promise<readonly LaunchedService[] | undefined> {
  const { terminal, clock, config, stop, cleanup } = input;
  const healthPort = await freePort({ avoid: [config.PORT] });
  const env = serviceEnv(input, {
    databaseUrl: given.stores.databaseUrl,
    redisUrl: given.stores.redisUrl,
    dataDir: given.folder.path,
    keyPepper: given.pepper.toString('hex'),
    secretKey: given.secretKey?.toString('hex'),
    workerHealthPort: healthPort,
    sipPort: given.sipPort,
    hasTestNumbers: given.hasTestNumbers,
  });
  const output = { terminal, clock, env };
  const origin = new URL(given.baseUrl).origin;
  const api = launchService({
    ...output,
    name: 'api',
    entry: 'apps/api/dist/main.js',
    look: () => presenceAt(`${origin}/readyz`),
  });
  const worker = launchService({
    ...output,
    name: 'worker',
    entry: 'apps/worker/dist/main.js',
    look: () => presenceAt(`http://127.0.0.1:${healthPort}/readyz`),
  });
  const launched = [api, worker];
  const limitMs = config.OUTDIAL_DRAIN_SECONDS * 1_000 + SETTLE_MS;
  cleanup.add(() =>
    stopServices(
      launched.map(({ service }) => service),
      { clock, forced: stop.forced, limitMs },
    ),
  );
  const steps = async () => {
    // Started together and awaited in turn: by the time the first is ready, the second usually is too.
    worker.ready.catch(() => {});
    await showStep(input, 'API', async () => ({ result: await api.ready, detail: given.baseUrl }));
    const detail = `carrier ${config.OUTDIAL_CARRIER}`;
    await showStep(input, 'Worker', async () => ({ result: await worker.ready, detail }));
    return 'ready' as const;
  };
  const outcome = await Promise.race([steps(), aborted(stop.requested)]);
  return outcome === 'ready' ? launched : undefined;
}
