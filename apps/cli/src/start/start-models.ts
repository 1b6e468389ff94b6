import { freePort } from '@outdial/local-stores';
import { showStep } from '../terminal/step.ts';
import type { StartConfig } from './config.ts';
import { LOOPBACK } from './loopback.ts';
import { assertPortFree, isPortFree } from './port.ts';
import { answersOk } from './readiness.ts';
import { startService, stopServices } from './service.ts';
import { modelsEnv } from './service-env.ts';
import type { StartInput } from './start-input.ts';

const DEFAULT_PORT = 5_090;
const STOP_LIMIT_MS = 10_000;

/** A port that the user set does not give way to another one. @throws CliError */
export async function chooseModelsPort({ OUTDIAL_MODELS_PORT: chosen, PORT }: StartConfig): Promise<number> {
  if (chosen !== undefined) await assertPortFree(LOOPBACK, chosen, 'OUTDIAL_MODELS_PORT');
  if (chosen !== undefined) return chosen;
  return (await isPortFree(LOOPBACK, DEFAULT_PORT)) ? DEFAULT_PORT : freePort({ avoid: [PORT] });
}

/** The address of the simulated providers, as a credential's `base_url` has it. */
export const modelsUrl = (port: number): string => `http://${LOOPBACK}:${port}`;

/** Starts the simulated providers of models, so that agents that models conduct need no key. */
export async function startModels(input: StartInput, port: number): Promise<void> {
  const { clock, stop, cleanup } = input;
  const url = modelsUrl(port);
  const env = modelsEnv(input, port);
  const models = startService({ name: 'models', env, isReady: () => answersOk(`${url}/healthz`) }, input);
  cleanup.add(() => stopServices([models], { clock, forced: stop.forced, limitMs: STOP_LIMIT_MS }));
  await showStep(input, 'Models', async () => ({ result: await models.ready, detail: `${url}, simulated` }));
}
