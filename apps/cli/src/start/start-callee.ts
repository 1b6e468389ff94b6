import { showStep } from '../terminal/step.ts';
import { CALLEE_ADDRESS } from './callee-address.ts';
import { presenceOn } from './readiness.ts';
import { seedCalleeTrunk } from './seed-callee-trunk.ts';
import { calleeEnv } from './service-env.ts';
import { launchService, stopServices, type LaunchedService } from './services.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';
import { withDatabase } from './with-database.ts';

/** The callee hangs up and ends within three seconds. */
const STOP_LIMIT_MS = 10_000;

/**
 * Starts the simulated telephone network and creates the demo's trunk to it. Must run before a worker starts: a
 * worker that gets no answer gives the trunk no calls until its next health check. Undefined after a stop request.
 */
export async function startCallee(
  input: StartInput,
  { databaseUrl, port }: { readonly databaseUrl: string; readonly port: number },
): Promise<LaunchedService | undefined> {
  const { terminal, clock, stop, cleanup } = input;
  const uri = `sip:${CALLEE_ADDRESS}:${port}`;
  const callee = launchService({
    name: 'callee',
    entry: 'apps/callee/dist/main.js',
    env: calleeEnv(input, { address: CALLEE_ADDRESS, port }),
    look: () => presenceOn(CALLEE_ADDRESS, port),
    terminal,
    clock,
  });
  cleanup.add(() => stopServices([callee.service], { clock, forced: stop.forced, limitMs: STOP_LIMIT_MS }));
  const step = showStep(input, 'Callee', async () => {
    await callee.ready;
    await withDatabase(databaseUrl, (database) => seedCalleeTrunk(database, uri));
    return { result: callee, detail: `${uri}, trunk "callee"` };
  });
  const outcome = await Promise.race([step, aborted(stop.requested)]);
  return outcome === callee ? callee : undefined;
}
