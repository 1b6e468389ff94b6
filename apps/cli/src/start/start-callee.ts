import { showStep } from '../terminal/step.ts';
import { LOOPBACK } from './loopback.ts';
import { isPortOpen } from './readiness.ts';
import { seedCalleeTrunk } from './seed-callee-trunk.ts';
import { startService, stopServices } from './service.ts';
import { calleeEnv } from './service-env.ts';
import type { StartInput } from './start-input.ts';
import { withDatabase } from './with-database.ts';

/** The callee hangs up and ends within three seconds. */
const STOP_LIMIT_MS = 10_000;

/**
 * Starts the simulated telephone network and creates the demo's trunk to it. Must run before a worker starts: a
 * worker that gets no answer gives the trunk no calls until its next health check.
 */
export async function startCallee(
  input: StartInput,
  { databaseUrl, port }: { readonly databaseUrl: string; readonly port: number },
): Promise<void> {
  const { clock, stop, cleanup } = input;
  const uri = `sip:${LOOPBACK}:${port}`;
  const env = calleeEnv(input, { address: LOOPBACK, port });
  const callee = startService({ name: 'callee', env, isReady: () => isPortOpen(LOOPBACK, port) }, input);
  cleanup.add(() => stopServices([callee], { clock, forced: stop.forced, limitMs: STOP_LIMIT_MS }));
  await showStep(input, 'Callee', async () => {
    await callee.ready;
    await withDatabase(databaseUrl, (database) => seedCalleeTrunk(database, uri));
    return { result: undefined, detail: `${uri}, trunk "callee"` };
  });
}
